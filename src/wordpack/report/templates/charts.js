// Charts are drawn when they come into view, in the page's colours; for printing all are drawn.

const SYMBOLS = ["circle", "square", "diamond", "cross", "triangle-up", "x", "triangle-down", "star", "pentagon"];

const CONFIG = {
  displaylogo: false,
  responsive: true,
  displayModeBar: matchMedia("(pointer: coarse)").matches ? false : "hover",
  modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d"],
};

const builders = {}; // data-chart -> function of the figure's element: { traces, layout, empty }
const drawn = new Set();
let paper = 0; // width of charts in pixels while printing, else 0

const SHEET = 670; // pixels that fit between the margins of A4 and letter

// Colours are resolved through an element: a custom property itself still reads light-dark().
const probe = document.body.appendChild(element("span", "", { hidden: "" }));

function colour(name) {
  probe.style.color = `var(${name})`;
  return getComputedStyle(probe).color;
}

// A colour and a symbol, for readers who cannot tell colours apart: 7 x 9 before a pair repeats.
function markOf(place) {
  return { color: colour(`--series-${place % 7}`), symbol: SYMBOLS[place % SYMBOLS.length] };
}

// The mark of a machine's environment: the first has the machine's own mark, as on its card.
const further = page.machines.flatMap((machine) => environments.get(machine).slice(1).map((name) => sourceOf({ machine, environment: name })));

function sourceMark(line) {
  const own = markOf(page.machines.indexOf(line.machine));
  const place = further.indexOf(sourceOf(line));
  return place < 0 ? own : { ...own, symbol: markOf(page.machines.length + place).symbol };
}

function baseLayout() {
  const [text, grid] = [colour("--text"), colour("--line")];
  const axis = { gridcolor: grid, linecolor: grid, zeroline: false, automargin: true, fixedrange: coarse.matches };
  return {
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { family: "inherit", size: 12, color: text },
    margin: { l: 10, r: 16, t: 8, b: 44 },
    dragmode: coarse.matches ? false : "zoom",
    hoverlabel: { bgcolor: colour("--raised"), bordercolor: grid, font: { color: text }, align: "left" },
    legend: { orientation: "h", x: 0, y: 1, yanchor: "bottom", xanchor: "left" },
    xaxis: { ...axis },
    yaxis: { ...axis },
  };
}

const coarse = matchMedia("(pointer: coarse)");

function redraw(element_) {
  if (!drawn.has(element_)) return;
  const plot = element_.querySelector(".plot");
  const { traces, layout, empty } = builders[element_.dataset.chart](element_);
  element_.classList.toggle("empty", Boolean(empty));
  if (empty) {
    Plotly.purge(plot);
    plot.replaceChildren(element("p", empty));
    return;
  }
  if (plot.firstElementChild && plot.firstElementChild.tagName === "P") plot.replaceChildren();
  plot.style.height = `${layout.height}px`;
  if (paper) layout.width = paper;
  Plotly.react(plot, traces, layout, CONFIG);
}

function draw(element_) {
  if (drawn.has(element_) || element_.offsetParent === null) return;
  drawn.add(element_);
  redraw(element_);
}

function startCharts() {
  const figures = [...document.querySelectorAll("figure.chart")];
  const seen = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) if (entry.isIntersecting) draw(entry.target);
    },
    { rootMargin: "300px" },
  );
  for (const each of figures) seen.observe(each);
  let [opened, theme] = [[], undefined];
  // set the theme first: print colours are not in force yet
  addEventListener("beforeprint", () => {
    theme = document.documentElement.dataset.theme;
    document.documentElement.dataset.theme = "light";
    paper = SHEET;
    markCards();
    opened = [...document.querySelectorAll("details.series:not([open])")];
    for (const each of opened) each.open = true;
    for (const each of figures) draw(each);
    for (const each of drawn) redraw(each);
  });
  addEventListener("afterprint", () => {
    if (theme) document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
    paper = 0;
    markCards();
    for (const each of opened) each.open = false;
    for (const each of drawn) redraw(each);
  });
}

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function startTheme() {
  const button = document.getElementById("theme");
  const changed = () => {
    button.textContent = isDark() ? "Light" : "Dark";
    button.setAttribute("aria-label", `Show in ${isDark() ? "light" : "dark"} colours`);
    for (const each of drawn) redraw(each);
    markCards();
  };
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    changed();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
  changed();
}

const SHAPES = {
  circle: "M-5,0a5,5 0 1,0 10,0a5,5 0 1,0 -10,0Z",
  square: "M-5,-5H5V5H-5Z",
  diamond: "M0,-6L6,0L0,6L-6,0Z",
  cross: "M-6,-2H-2V-6H2V-2H6V2H2V6H-2V2H-6Z",
  "triangle-up": "M0,-6L6,5H-6Z",
  x: "M-6,-3L-3,-6L0,-3L3,-6L6,-3L3,0L6,3L3,6L0,3L-3,6L-6,3L-3,0Z",
  "triangle-down": "M0,6L6,-5H-6Z",
  star: "M0,-7L2,-2H7L3,1L4,6L0,3L-4,6L-3,1L-7,-2H-2Z",
  pentagon: "M0,-6L6,-1L4,5H-4L-6,-1Z",
};

// Draw a machine's symbol and colour, the same as in the charts, beside its name.
function markCards() {
  for (const mark of document.querySelectorAll(".mark")) {
    const { color, symbol } = markOf(Number(mark.dataset.mark));
    const image = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    image.setAttribute("viewBox", "-8 -8 16 16");
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", SHAPES[symbol]);
    path.setAttribute("fill", color);
    image.append(path);
    mark.replaceChildren(image);
  }
}
