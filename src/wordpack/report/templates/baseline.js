// Speed-ups against the baseline chosen above the tables, by the same rules as
// wordpack/report/latest.py: only measured points of the same series, instance and parameters.

const baseline = document.getElementById("baseline");

const comparable = new Map();

function nameOf(machine, series, backend, instance, rest) {
  return JSON.stringify([machine, series, backend, instance, rest]);
}

for (const line of [...measured].sort((one, other) => page.whens[one.when][0] - page.whens[other.when][0])) {
  const name = nameOf(line.machine, line.series, line.backend, line.instance, line.rest);
  comparable.set(name, [...(comparable.get(name) || []), line]);
}

// A line's speed-up and the baseline's line, of the same environment if possible; null if there is
// nothing to compare.
function speedupOf(line) {
  if (line.state !== "measured") return null;
  const { backend, machine } = baseline.elements;
  const others = comparable.get(
    nameOf(machine.value || line.machine, line.series, line.backend && (backend.value || line.backend), line.instance, line.rest),
  );
  if (!others) return null;
  const own = others.filter((other) => other.environment === line.environment);
  const against = (own.length ? own : others).at(-1);
  return against.value && line.value ? { times: against.value / line.value, against } : null;
}

// The note beside a speed-up: that it is the baseline itself, or which environment that is from.
function saidOf(line, against) {
  if (against === line) return "baseline";
  return against.environment === line.environment ? "" : `vs ${against.environment}`;
}

function againstText({ machine, backend, environment, when }) {
  return `against ${backend || "all"} on ${machine}, ${environment}, ${page.whens[when][1]}`;
}

function showSpeedups() {
  let shown = 0;
  for (const row of document.querySelectorAll("tr[data-line]")) {
    const line = lines[row.dataset.line];
    const cell = row.querySelector(".speedup");
    const found = speedupOf(line);
    if (found === null) {
      delete cell.dataset.value;
      cell.removeAttribute("title");
      cell.textContent = line.state === "measured" ? "no baseline" : "not compared";
    } else {
      const said = saidOf(line, found.against);
      cell.dataset.value = found.times;
      cell.title = againstText(found.against);
      cell.replaceChildren(`${ratio(found.times)}×`, ...(said ? [" ", element("small", said)] : []));
      shown += 1;
    }
    delete row.searched;
  }
  return shown;
}

function baselineText() {
  const { backend, machine } = baseline.elements;
  const what = backend.value || "each row’s own backend";
  return `${what} on ${machine.value || "each row’s own machine"}`;
}

function startBaseline() {
  baseline.addEventListener("submit", (event) => event.preventDefault());
  baseline.addEventListener("change", () => {
    const shown = showSpeedups();
    document.querySelector("#against output").textContent = `${baselineText()} (${shown} figures)`;
    for (const figureElement of document.querySelectorAll('[data-chart="speedup"]')) redraw(figureElement);
  });
}
