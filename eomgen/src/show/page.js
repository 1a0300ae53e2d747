(function () {
  var tip = document.getElementById("tip");
  function show(event) {
    var of = event.target.closest ? event.target.closest("math [title]") : null;
    tip.textContent = of ? of.getAttribute("title") : "";
    tip.className = of ? "on" : "";
  }
  document.addEventListener("pointerover", show);
  document.addEventListener("click", show);
})();
