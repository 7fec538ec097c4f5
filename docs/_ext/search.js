/* Search: pages written for readers stand before pages written by the build, theorems last; titles count most. */
var inTitle = (title) => { // share of the words asked for that stand in a title
  const words = (text) => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) || []).map((word) => new Stemmer().stemWord(word));
  const asked = words(new URLSearchParams(window.location.search).get("q") || "");
  return asked.filter((word) => words(title).includes(word)).length / Math.max(asked.length, 1);
};
var Scorer = {
  score: ([page, title, anchor, description, score, file, kind]) => {
    if (page.startsWith("generated/theorems/") || page === "generated/kernel" || page === "coverage") return score - 40;
    if (page === "decisions" || page === "design" || page === "changelog" || page === "generated/violations")
      return score - 30;
    if (page === "generated/api/export.compiled") return score - 5;
    if (page.startsWith("generated/notebooks/") || page.startsWith("generated/api/")) return score;
    if (page !== "generated/criteria" && (page.startsWith("generated/") || page.startsWith("reproductions/")))
      return score - 20;
    if (page === "glossary" && score < 100) return Math.min(score, 20); // terms that hold the words beside others
    return score + 10 + 10 * inTitle(title.split(" > ")[0]);
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
