"use strict";
// The page's data, with its indices turned into names once. All of it is untrusted: it is only ever
// set as text, never as HTML.

const page = JSON.parse(document.getElementById("data").textContent);

const lines = page.lines.map((row, place) => {
  const [machine, series, backend, instance, rest, environment, state] = row
    .slice(0, 7)
    .map((number) => page.texts[number]);
  const [value, low, high, count, origin, when, share] = row.slice(7);
  const name = [backend || instance || series, rest].filter(Boolean).join(", ");
  return {
    place, machine, series, backend, instance, rest, environment, state,
    value, low, high, count, origin, when, share, name,
  };
});

const measured = lines.filter((line) => line.state === "measured");

// The environments of each machine, in order of appearance. Names and symbols tell them apart,
// because they share the machine's colour.
const environments = new Map(page.machines.map((machine) => [machine, []]));
for (const { machine, environment } of lines) {
  const known = environments.get(machine);
  if (!known.includes(environment)) known.push(environment);
}

function sourceOf({ machine, environment }) {
  return environments.get(machine).length > 1 ? `${machine} (${environment})` : machine;
}

function unitOf(series) {
  return page.series[series] ? page.series[series][1] : "seconds";
}

function distinct(values) {
  return [...new Set(values)];
}

// The points of a line's history. A stored number is in units of 10^exponent; null or a letter is a
// state.
function historyOf(line) {
  const [axis, exponent, numbers] = page.histories[line.place];
  const [whens, origins] = page.axes[axis];
  return numbers.map((number, place) => ({
    when: whens[place],
    origin: origins[place],
    value: typeof number !== "number" ? null : exponent ? Number(`${number}e${exponent}`) : number,
    state: { f: "failed", w: "wrong", u: "unproven" }[number] || (number === null ? "n/a" : "measured"),
  }));
}

function momentOf(when) {
  const [, date, commit] = page.whens[when];
  return commit ? `${date} ${commit.slice(0, 8)}` : `${date} race`;
}
