// Growth curves: time by share of the list, both logarithmic.

// Colours tell backends apart, or sources if asked. A source is a machine, or one environment of it.
// With several sources, symbols tell them apart.
function curveMark(line, backends, sources, byMachine) {
  const mark = byMachine ? sourceMark(line) : markOf(backends.indexOf(line.backend));
  return sources.length > 1 ? { ...mark, symbol: sourceMark(line).symbol } : mark;
}

// Dashes tell a machine's environments apart.
function dashOf(line) {
  return ["solid", "dash", "dot", "dashdot"][environments.get(line.machine).indexOf(line.environment) % 4];
}

// A test for lines that fit all of a form's selects.
function chosenIn(form) {
  const asked = ["machine", "backend", "instance", "series"]
    .filter((name) => form.elements[name] && form.elements[name].value !== ALL)
    .map((name) => [name, form.elements[name].value]);
  return (line) => asked.every(([name, value]) => line[name] === value);
}

builders.growth = () => {
  const form = document.querySelector('form[data-for="growth"]');
  const shown = measured
    .filter((line) => line.series === "growth" && line.share !== null && line.value > 0)
    .filter(chosenIn(form));
  if (!shown.length) return { empty: "No figures for this choice." };
  const backends = distinct(shown.map((line) => line.backend));
  const sources = distinct(shown.map(sourceOf));
  const byMachine = backends.length === 1 && sources.length > 1;
  const curves = new Map();
  for (const line of shown) {
    const name = [line.backend, line.machine, line.environment].join("\n");
    curves.set(name, [...(curves.get(name) || []), line]);
  }
  const traces = [...curves.values()].map((own) => {
    own.sort((one, other) => one.share - other.share);
    const mark = curveMark(own[0], backends, sources, byMachine);
    return {
      type: "scatter", mode: "lines+markers",
      name: entry(sources.length > 1 ? `${own[0].backend}, ${sourceOf(own[0])}` : own[0].backend),
      x: own.map((line) => line.share), y: own.map((line) => line.value),
      error_y: {
        type: "data", symmetric: false, thickness: 1, width: 3,
        array: own.map((line) => (line.high === null ? 0 : Math.max(line.high - line.value, 0))),
        arrayminus: own.map((line) => (line.low === null ? 0 : Math.max(line.value - line.low, 0))),
      },
      hoverinfo: "text", hovertext: own.map(spreadHover("seconds")),
      marker: { ...mark, size: 9 }, line: { color: mark.color, width: 1.5, dash: dashOf(own[0]) },
    };
  });
  const layout = baseLayout();
  const shares = distinct(shown.map((line) => line.share)).sort((one, other) => one - other);
  layout.height = 440 + legendHeight(traces.length);
  layout.showlegend = true;
  Object.assign(layout.xaxis, {
    type: "log", title: { text: "share of the list" }, tickvals: shares,
    ticktext: shares.map((share) => `${Number((100 * share).toPrecision(3))} %`),
  });
  Object.assign(layout.yaxis, logAxis(shown.map((line) => line.value), "seconds"));
  return { traces, layout };
};

function startCurves() {
  const form = document.querySelector('form[data-for="growth"]');
  if (!form) return;
  const own = lines.filter((line) => line.series === "growth");
  choices(form.elements.machine, distinct(own.map((line) => line.machine)), "all machines");
  choices(form.elements.backend, distinct(own.map((line) => line.backend)), "all backends");
  form.addEventListener("change", () => redraw(document.querySelector('[data-chart="growth"]')));
}
