// Set everything up once; charts wait until they come into view.

function startChoices() {
  for (const form of document.querySelectorAll("form.controls[data-for]")) {
    form.addEventListener("submit", (event) => event.preventDefault());
    const figureElement = form.parentElement.querySelector("figure.chart");
    const { instance } = form.elements;
    if (!figureElement || !instance || form === historyForm) continue;
    const own = measured.filter((line) => line.series === figureElement.dataset.series);
    choices(instance, distinct(own.map((line) => line.instance)));
    if (instance.options.length < 2 || own.every((line) => !line.backend)) form.hidden = true;
    form.addEventListener("change", () => redraw(figureElement));
  }
}

document.documentElement.classList.add("scripted");
startTables();
startBaseline();
startChoices();
startCurves();
startHistory();
startTheme();
// plotly loads after this script
addEventListener("DOMContentLoaded", startCharts);
