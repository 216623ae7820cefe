(() => {
  "use strict";
  const field = document.getElementById("search-field");
  const found = document.getElementById("search-found");
  const items = Array.from(document.querySelectorAll(".item"));
  const texts = items.map((item) => item.textContent.toLowerCase());
  // So many are opened for the reader; more would push each other off the screen.
  const openMax = 5;
  const search = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter((word) => word);
    const hits = items.filter((_, at) => words.every((word) => texts[at].includes(word)));
    const shown = new Set(hits);
    items.forEach((item) => { item.hidden = !shown.has(item); });
    if (words.length && hits.length <= openMax) hits.forEach((item) => { item.open = true; });
    found.textContent = words.length ? `${hits.length} of ${items.length} shown` : "";
  };
  field.addEventListener("input", search);
  document.getElementById("search").hidden = false;
  // What is closed on the screen is on the paper all the same.
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = Array.from(document.querySelectorAll("details:not([open])"));
    opened.forEach((it) => { it.open = true; });
  });
  addEventListener("afterprint", () => { opened.forEach((it) => { it.open = false; }); });
})();
