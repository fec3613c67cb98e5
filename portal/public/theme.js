// Before the first paint: the theme that was chosen here, where one was. Without a choice the system's is followed, by the style sheet alone.
try {
  const theme = localStorage.getItem("aos.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // A browser that keeps nothing follows the system.
}
