// A figure over commits, with lasting changes marked, and the same points as a table.

const MOST_LINES = 24; // more would be a tangle, and slow
const MOST_ROWS = 400;
const MOST_MARKS = 40; // with more points, a symbol at each would hide the line

const historyForm = document.querySelector('form[data-for="history"]');
const historyBox = document.getElementById("history-table");

function historyLines() {
  return lines.filter(chosenIn(historyForm));
}

// If there are too many lines to draw, those with the most points come first.
function historyShown() {
  const fitting = historyLines().map((line) => [line, historyOf(line)]);
  const withFigures = fitting.filter(([, points]) => points.some((point) => point.value > 0));
  if (withFigures.length > MOST_LINES) withFigures.sort((one, other) => other[1].length - one[1].length);
  return { shown: withFigures.slice(0, MOST_LINES), all: withFigures.length, without: fitting.length - withFigures.length };
}

// Positions of commits on the axis: their dates, or their numbers in order of date.
function alongOf(shown) {
  const whens = distinct(shown.flatMap(([, points]) => points.map((point) => point.when)));
  whens.sort((one, other) => page.whens[one][0] - page.whens[other][0]);
  const order = new Map(whens.map((when, place) => [when, place]));
  const byDate = historyForm.elements.along.value === "date";
  return { whens, of: (when) => (byDate ? page.whens[when][1] || null : order.get(when)), byDate };
}

// Triangles mark level shifts; hollow ones are not certain, because too few commits show them.
function stepMarks(shown, along, unit) {
  const kinds = [["regression", "triangle-up", "--alarm"], ["improvement", "triangle-down", "--good"]];
  return kinds.flatMap(([kind, symbol, colour_]) => {
    const marks = { x: [], y: [], hovertext: [], symbols: [] };
    for (const [line] of shown) {
      for (const [when, before, after, certain] of page.steps[line.place] || []) {
        if ((after > before) !== (kind === "regression")) continue;
        marks.x.push(along.of(when));
        marks.y.push(after);
        marks.symbols.push(certain ? symbol : `${symbol}-open`);
        marks.hovertext.push(`<b>${kind}</b>${certain ? "" : ", not certain: few commits show it"}<br>`
          + `${literal(line.name)} on ${literal(sourceOf(line))}<br>${literal(figure(before, unit))} → `
          + `${literal(figure(after, unit))} (${ratio(after / before)}×)<br>${literal(momentOf(when))}`);
      }
    }
    const { x, y, hovertext, symbols } = marks;
    const marker = { symbol: symbols, size: 15, color: colour(colour_), line: { width: 1.5 } };
    return x.length ? [{ type: "scatter", mode: "markers", name: kind, x, y, hoverinfo: "text", hovertext, marker }] : [];
  });
}

function historyTrace([line, points], along, backends, sources, unit) {
  const mark = curveMark(line, backends, sources, sources.length > 1 && backends.length === 1);
  const drawnPoints = points.filter((point) => point.state !== "n/a");
  const name = sources.length > 1 ? `${line.name}, ${sourceOf(line)}` : line.name;
  return {
    type: "scatter", mode: "lines+markers",
    name: entry(name),
    x: drawnPoints.map((point) => along.of(point.when)),
    y: drawnPoints.map((point) => (point.value > 0 ? point.value : null)),
    connectgaps: false, hoverinfo: "text",
    hovertext: drawnPoints.map((point) => `<b>${literal(line.name)}</b> on ${literal(sourceOf(line))}<br>`
      + `${literal(figure(point.value, unit))}<br>${literal(momentOf(point.when))}<br>${literal(page.origins[point.origin][0])}`),
    marker: { ...mark, size: 7, maxdisplayed: points.length > MOST_MARKS ? MOST_MARKS / 2 : 0 }, line: { color: mark.color, width: 1.5, dash: dashOf(line) },
  };
}

builders.history = () => {
  const { shown, all, without } = historyShown();
  const series = historyForm.elements.series.value;
  const failed = shown.reduce((sum, [, points]) => sum + points.filter((point) => ["failed", "wrong", "unproven"].includes(point.state)).length, 0);
  document.querySelector("#history .shown").textContent = [
    all > shown.length ? `${shown.length} of ${all} lines: choose a machine or a backend to see the others.` : `Lines: ${all}.`,
    without ? `Without a figure at any commit: ${without}.` : "",
    failed ? `Gaps are points that failed or are unproven, named in the table: ${failed}.` : "",
  ].filter(Boolean).join(" ");
  showHistoryTable();
  if (!shown.length) return { empty: "No line of this choice has a figure." };
  const along = alongOf(shown);
  const unit = unitOf(series);
  const backends = distinct(shown.map(([line]) => line.backend));
  const sources = distinct(shown.map(([line]) => sourceOf(line)));
  const traces = shown.map((each) => historyTrace(each, along, backends, sources, unit));
  const layout = baseLayout();
  layout.height = 420 + legendHeight(traces.length + 2);
  layout.showlegend = true;
  const values = traces.flatMap((trace) => trace.y);
  Object.assign(layout.yaxis, logAxis(values, unit));
  if (along.byDate) layout.xaxis.type = "date";
  else {
    const every = Math.ceil(along.whens.length / 10);
    const ticks = along.whens.map((_, place) => place).filter((place) => place % every === 0);
    Object.assign(layout.xaxis, {
      type: "linear", tickvals: ticks,
      ticktext: ticks.map((place) => page.whens[along.whens[place]][2].slice(0, 8) || "race"),
    });
  }
  return { traces: [...traces, ...stepMarks(shown, along, unit)], layout };
};

function historyTable() {
  const unit = unitOf(historyForm.elements.series.value);
  const all = historyShown().shown.flatMap(([line, points]) => points.map((point) => [line, point]));
  all.sort((one, other) => page.whens[other[1].when][0] - page.whens[one[1].when][0]);
  const table = element("table", "", { class: "data" });
  table.append(element("caption", `The newest ${Math.min(all.length, MOST_ROWS)} of ${all.length} points`));
  const head = table.createTHead().insertRow();
  for (const name of ["date, commit", "machine", "environment", "backend", "median", "state", "file", "command"]) {
    head.append(element("th", name, { scope: "col" }));
  }
  const body = table.createTBody();
  for (const [line, point] of all.slice(0, MOST_ROWS)) {
    const row = body.insertRow();
    const [, date, commit] = page.whens[point.when];
    const [file, command] = page.origins[point.origin];
    const value = figure(point.value, unit);
    for (const text of [`${date} ${commit || "race"}`, line.machine, line.environment, line.name, value, point.state, file, command]) {
      row.append(element("td", text));
    }
    row.cells[4].className = "n";
    if (point.value !== null) row.cells[4].dataset.value = point.value;
  }
  const box = element("div", "", { class: "box", role: "region", tabindex: "0", "aria-label": "Points of the history" });
  box.append(table);
  addSorting(table);
  return box;
}

// The table is built only when it is opened: most readers never open it.
function showHistoryTable() {
  historyBox.querySelector("div").replaceChildren(...(historyBox.open ? [historyTable()] : []));
}

function historyInstances() {
  const own = lines.filter((line) => line.series === historyForm.elements.series.value);
  choices(historyForm.elements.instance, distinct(own.map((line) => line.instance)));
  choices(historyForm.elements.machine, distinct(own.map((line) => line.machine)), "all machines");
  choices(historyForm.elements.backend, distinct(own.map((line) => line.backend)), "all backends");
}

function startHistory() {
  choices(historyForm.elements.series, distinct(lines.map((line) => line.series)));
  historyInstances();
  const { machine, backend } = historyForm.elements;
  if (historyLines().length > MOST_LINES && machine.options.length > 1) machine.selectedIndex = 1;
  if (historyLines().length > MOST_LINES && backend.options.length > 1) backend.selectedIndex = 1;
  historyForm.addEventListener("change", (event) => {
    if (event.target.name === "series") historyInstances();
    redraw(document.querySelector('[data-chart="history"]'));
  });
  historyBox.addEventListener("toggle", showHistoryTable);
}
