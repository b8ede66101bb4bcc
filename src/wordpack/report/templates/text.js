// Format figures as wordpack/report/numbers.py does, and escape text that plotly would interpret.

// Figures from HUGE on and below TINY are shown with an exponent of ten.
const [HUGE, TINY] = [1e9, 1e-3];

function digits(value) {
  const size = Math.abs(value);
  if (value === 0) return "0";
  if (size >= 100 && size < HUGE) return Number(value.toFixed(0)).toLocaleString("en-US");
  return size >= TINY && size < 100 ? value.toPrecision(3) : value.toExponential(2).replace("+", "");
}

function figure(value, unit) {
  if (value === null || value === undefined) return "";
  const size = Math.abs(value);
  const of = (units) => {
    const [name, one] = units.find((each) => size >= each[1]) || units.at(-1);
    return `${digits(value / one)} ${name}`;
  };
  if (unit === "seconds") return of(size < 1e-9 ? [["s", 1]] : [["s", 1], ["ms", 1e-3], ["µs", 1e-6]]);
  if (unit === "bytes") return of([["GiB", 2 ** 30], ["MiB", 2 ** 20], ["KiB", 2 ** 10], ["B", 1]]);
  if (unit === "joules") return `${digits(value)} J`;
  const whole = Number.isInteger(value) && size < HUGE;
  return `${whole ? (value || 0).toLocaleString("en-US") : digits(value)} ${unit}`.trim();
}

function ratio(value) {
  if (value < 0.01) return value > 1e-15 ? `1/${digits(1 / value)}` : "0";
  return digits(value);
}

// Plotly interprets tags, links, entities and formulas in labels; a name must stay a name.
const MEANT = { "&": "&amp;", "<": "&lt;", ">": "&gt;", $: "&#36;" };

function literal(text) {
  return String(text).replace(/[&<>$]/g, (letter) => MEANT[letter]);
}

// A name shortened to fit a chart. Its end is kept, because similar names differ there; hover texts
// have the full name.
function short(text, most = innerWidth < NARROW ? 20 : 34) {
  const letters = [...String(text)];
  if (letters.length <= most) return literal(text);
  const end = Math.floor(most / 3);
  return literal(`${letters.slice(0, most - 1 - end).join("")}…${letters.slice(-end).join("")}`);
}

// A legend's entry, which has more room than an axis.
function entry(text) {
  return short(text, innerWidth < NARROW ? 34 : 56);
}

const NARROW = 600; // pixels; on a narrower screen fewer ticks and one legend column fit

// A logarithmic axis with ticks in the unit: 1 ms, 10 ms. It spans at least half a decade, so that
// noise does not look large.
function logAxis(values, unit) {
  const logs = values.filter((value) => value > 0).map(Math.log10);
  const [least, most] = logs.reduce(([a, b], log) => [Math.min(a, log), Math.max(b, log)], [Infinity, -Infinity]);
  const margin = Math.max(0.04 * (most - least), (0.5 - (most - least)) / 2, 0.08);
  const range = [least - margin, most + margin];
  const step = Math.max(1, Math.ceil((range[1] - range[0]) / (innerWidth < NARROW ? 4 : 8)));
  const parts = range[1] - range[0] < 2 ? [1, 2, 5] : [1];
  const tickvals = [];
  for (let power = Math.floor(range[0]); power <= range[1]; power += step) {
    for (const part of parts) tickvals.push(Number(`${part}e${power}`));
  }
  const label = (value) => {
    const text = unit !== "×" ? figure(value, unit) : value < 1 ? `1/${digits(1 / value)}×` : `${digits(value)}×`;
    return literal(text.replace(/(\.\d*?)0+(?=[ e×]|$)/, "$1").replace(/\.(?=[ e×]|$)/, ""));
  };
  return { type: "log", range, tickangle: 0, tickvals, ticktext: tickvals.map(label) };
}

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

// Pixels that a legend with this many entries takes above its chart.
function legendHeight(count) {
  return 20 * Math.ceil(count / (innerWidth < NARROW ? 1 : 4));
}

const ALL = "\n"; // a choice that is no name: names have no line ends

// Fill a select with choices; if there are several, the first choice is all of them.
function choices(select, values, all = "") {
  const before = select.value;
  const made = values.map((value) => element("option", value || "(none)", { value }));
  if (all && values.length > 1) made.unshift(element("option", all, { value: ALL }));
  select.replaceChildren(...made);
  if ([...select.options].some((option) => option.value === before)) select.value = before;
}
