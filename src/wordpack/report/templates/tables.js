// Make tables sortable by any column and searchable; they are complete without this script.

const SORTED = { ascending: 1, descending: -1 };

function keyOf(row, column) {
  const cell = row.cells[column];
  if (!cell) return null;
  if (cell.dataset.value !== undefined) return Number(cell.dataset.value);
  if (cell.classList.contains("n")) return null;
  return cell.textContent.trim().toLowerCase();
}

// A row without a figure comes last in either order.
function compare(one, other, direction) {
  if (one === null || other === null) return (one === null) - (other === null);
  if (typeof one === "number" && typeof other === "number") return direction * (one - other);
  return direction * String(one).localeCompare(String(other), "en", { numeric: true });
}

function sortTable(table, heading) {
  const before = heading.getAttribute("aria-sort");
  const order = before === "ascending" ? "descending" : "ascending";
  for (const each of table.tHead.rows[0].cells) each.setAttribute("aria-sort", "none");
  heading.setAttribute("aria-sort", order);
  const body = table.tBodies[0];
  const keyed = [...body.rows].map((row) => [keyOf(row, heading.cellIndex), row]);
  keyed.sort((one, other) => compare(one[0], other[0], SORTED[order]));
  body.append(...keyed.map((pair) => pair[1]));
}

function addSorting(table) {
  for (const heading of table.tHead.rows[0].cells) {
    const button = element("button", heading.textContent, { type: "button" });
    button.addEventListener("click", () => sortTable(table, heading));
    heading.replaceChildren(button);
    heading.setAttribute("aria-sort", "none");
  }
}

function textOf(row) {
  if (row.searched === undefined) row.searched = row.textContent.toLowerCase();
  return row.searched;
}

function searchTable(table, input, output) {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  const state = table.dataset.state || "";
  const rows = [...table.tBodies[0].rows];
  let shown = 0;
  for (const row of rows) {
    const fits = words.every((word) => textOf(row).includes(word))
      && (!state || row.dataset.state === state);
    row.hidden = !fits;
    shown += fits;
  }
  output.textContent = words.length || state ? `${shown} of ${rows.length} rows` : "";
}

function addSearching(table) {
  const controls = table.closest(".box").previousElementSibling;
  const input = controls.querySelector("input");
  const output = controls.querySelector("output");
  if (table.tBodies[0].rows.length < 9) controls.hidden = true;
  table.search = () => searchTable(table, input, output);
  input.addEventListener("input", table.search);
}

function startTables() {
  for (const table of document.querySelectorAll("table.data")) {
    addSorting(table);
    addSearching(table);
  }
  const state = document.querySelector('form[data-for="absent"] select');
  if (!state) return;
  const table = document.querySelector("#absent table.data");
  state.addEventListener("change", () => {
    table.dataset.state = state.value;
    table.search();
  });
}
