const sort = document.querySelector("#sort");
const words = document.querySelector("#words");
const openAll = document.querySelector("#open");
const papers = [...document.querySelectorAll(".paper")].map((paper) => ({
  paper,
  text: paper.textContent.toLowerCase(),
  errors: [...paper.querySelectorAll("[data-error]")],
}));

function show() {
  const sought = words.value.trim().toLowerCase();
  let papersShown = 0;
  let errorsShown = 0;
  for (const { paper, text, errors } of papers) {
    const matching = errors.filter((error) => !sort.value || error.dataset.error === sort.value);
    for (const error of errors) error.hidden = !matching.includes(error);
    paper.hidden = !text.includes(sought) || (sort.value !== "" && !matching.length);
    if (!paper.hidden) {
      papersShown += 1;
      errorsShown += matching.length;
    }
  }
  document.querySelector("#shown").textContent = "errors: " + errorsShown + ", papers: " + papersShown;
}

sort.addEventListener("change", show);
words.addEventListener("input", show);
openAll.addEventListener("change", () => {
  for (const { paper } of papers) paper.open = openAll.checked;
});
for (const button of document.querySelectorAll("[data-filter]")) {
  button.addEventListener("click", () => {
    sort.value = button.dataset.filter;
    show();
    for (const { paper } of papers) paper.open = !paper.hidden;
    document.querySelector("#papers").scrollIntoView();
  });
}
show();
