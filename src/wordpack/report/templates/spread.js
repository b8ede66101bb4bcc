// Charts of the newest figures: one dot per backend and machine, with its quartiles, on a logarithmic
// axis. A row without a figure is left out, never drawn as zero.

const TALLEST = 90; // pixels of one backend's row

// The instance of a chart: the section's own, or the one chosen above it.
function instanceOf(figureElement) {
  const form = figureElement.parentElement.querySelector("form.controls[data-for]");
  return form ? form.elements.instance.value : figureElement.dataset.instance;
}

// Horizontal dots grouped by backend, with one trace per machine or per environment of it.
function dots(shown, valueOf, hoverOf, unit) {
  const sources = distinct(shown.map(sourceOf));
  const best = new Map();
  for (const line of shown) best.set(line.name, Math.min(valueOf(line), best.get(line.name) ?? Infinity));
  const names = [...best.keys()].sort((one, other) => best.get(other) - best.get(one));
  const traces = sources.map((source) => {
    const own = shown.filter((line) => sourceOf(line) === source);
    return {
      type: "scatter",
      mode: "markers",
      orientation: "h",
      name: entry(source),
      meta: source,
      offsetgroup: source,
      x: own.map(valueOf),
      y: own.map((line) => literal(line.name)),
      cliponaxis: false,
      hoverinfo: "text",
      hovertext: own.map(hoverOf),
      marker: { size: 9, ...sourceMark(own[0]) },
    };
  });
  const row = Math.min(22 + 7 * (sources.length - 1), TALLEST);
  const layout = baseLayout();
  Object.assign(layout, {
    scattermode: "group",
    scattergap: 0.3,
    showlegend: true,
    height: 90 + legendHeight(sources.length + 1) + names.length * row,
  });
  Object.assign(layout.xaxis, logAxis(shown.map(valueOf), unit));
  Object.assign(layout.yaxis, { type: "category", tickson: "boundaries", categoryorder: "array", categoryarray: names.map(literal), tickvals: names.map(literal), ticktext: names.map((name) => short(name)) });
  return { traces, layout, names };
}

function sourceText(line) {
  const [file] = page.origins[line.origin];
  return `${literal(momentOf(line.when))}<br>${literal(file)}`;
}

function spreadHover(unit) {
  return (line) => {
    const between = line.low === null || line.high === null || line.count === 1
      ? "" : ` (${figure(line.low, unit)} – ${figure(line.high, unit)})`;
    const runs = line.count === null ? "" : line.count === 1 ? ", 1 run" : `, n = ${line.count}`;
    return `<b>${literal(line.name)}</b> on ${literal(sourceOf(line))}<br>`
      + `${literal(figure(line.value, unit) + between)}${runs}<br>${sourceText(line)}`;
  };
}

// Published times, in their own rows below the measured ones.
function addPublished(chart, instance) {
  const known = page.published.filter((each) => each[0] === instance);
  if (!known.length) return;
  const [x, y, hovertext] = [[], [], []];
  const [labels, ticks] = [[], []];
  for (const [, system, author, machine, time, seconds] of known) {
    const label = `<i>${literal(system)}</i><br><span style="font-size:10px">${literal(author)}</span>`;
    labels.push(label);
    ticks.push(`<i>${short(system)}</i><br><span style="font-size:10px">${short(author)}</span>`);
    for (const each of seconds) {
      x.push(each);
      y.push(label);
      hovertext.push(`published by ${literal(author)}: <b>${literal(system)}</b><br>`
        + `“${literal(time)}”<br>machine: ${literal(machine)}`);
    }
  }
  chart.traces.push({
    type: "scatter", mode: "markers", orientation: "h", name: "published, by author and year",
    x, y, cliponaxis: false, hoverinfo: "text", hovertext, offsetgroup: "published", alignmentgroup: "published",
    marker: { size: 11, symbol: "diamond-open", color: colour("--muted"), line: { width: 2 } },
  });
  const { yaxis } = chart.layout;
  yaxis.categoryarray = [...distinct(labels).reverse(), ...yaxis.categoryarray];
  yaxis.tickvals = [...yaxis.tickvals, ...labels];
  yaxis.ticktext = [...yaxis.ticktext, ...ticks];
  chart.layout.height += 34 * distinct(labels).length;
}

builders.spread = (figureElement) => {
  const { series } = figureElement.dataset;
  const instance = instanceOf(figureElement);
  const unit = unitOf(series);
  const own = measured.filter((line) => line.series === series && line.value > 0);
  const byBackend = own.some((line) => line.backend);
  const shown = own.filter((line) => !byBackend || line.instance === instance);
  if (!shown.length) return { empty: "Nothing to draw: nothing was measured. The table says why." };
  const chart = dots(shown, (line) => line.value, spreadHover(unit), unit);
  chart.traces.forEach((trace) => {
    const own = shown.filter((line) => sourceOf(line) === trace.meta);
    trace.error_x = {
      type: "data", symmetric: false, thickness: 1.5, width: 3,
      array: own.map((line) => (line.high === null ? 0 : Math.max(line.high - line.value, 0))),
      arrayminus: own.map((line) => (line.low === null ? 0 : Math.max(line.value - line.low, 0))),
    };
  });
  if (series === "search") addPublished(chart, instance);
  const ends = shown.flatMap((line) => [line.low, line.high]).filter((end) => end > 0);
  Object.assign(chart.layout.xaxis, logAxis([...chart.traces.flatMap((trace) => trace.x), ...ends], unit));
  return chart;
};

builders.speedup = (figureElement) => {
  const instance = instanceOf(figureElement);
  const of = new Map();
  for (const line of measured) {
    if (line.series !== "search" || line.instance !== instance) continue;
    const found = speedupOf(line);
    if (found !== null) of.set(line, found);
  }
  if (!of.size) return { empty: `${baselineText()} has no figure for ${instance}: choose another baseline.` };
  const hover = (line) => `<b>${literal(line.name)}</b> on ${literal(sourceOf(line))}<br>${ratio(of.get(line).times)}× `
    + `${literal(againstText(of.get(line).against))}<br>${figure(line.value, "seconds")}<br>${sourceText(line)}`;
  const chart = dots([...of.keys()], (line) => of.get(line).times, hover, "×");
  chart.layout.yaxis.categoryarray.reverse();
  chart.layout.shapes = [{
    type: "line", x0: 1, x1: 1, yref: "paper", y0: 0, y1: 1, layer: "below",
    line: { color: colour("--muted"), width: 1.5, dash: "dot" },
  }];
  return chart;
};
