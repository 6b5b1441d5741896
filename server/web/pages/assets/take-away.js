// PNG: the picture of a page, drawn on a canvas. The file of the SVG is drawn, which stands alone.

const SCALE = 2; // Sharp on dense screens and in print.
const MOST_PIXELS = 64_000_000; // What browsers are sure to draw.

document.addEventListener("click", async (event) => {
  const link = event.target.closest?.("[data-png] a");
  if (!link || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  link.setAttribute("aria-busy", "true");
  try {
    save(await png(link.href), link.download);
  } catch (error) {
    link.after(` could not be drawn: ${error.message}`);
  }
  link.removeAttribute("aria-busy");
});
document.documentElement.dataset.draws = ""; // Its links are shown, also those that come later.

async function png(address) {
  const image = new Image();
  image.src = address;
  await image.decode();
  const { naturalWidth: width, naturalHeight: height } = image;
  const scale = Math.min(SCALE, Math.sqrt(MOST_PIXELS / (width * height)));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("it is too large"))), "image/png");
  });
}

function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
