// Squares of a drawn board: their names, and the square under a finger. Shared by the board and the disputes.

export const UNIT = 40;
export const MARGIN = 28;

function letters(column) {
  let name = "";
  for (let number = column + 1; number; number = Math.floor((number - 1) / 26)) name = String.fromCharCode(65 + ((number - 1) % 26)) + name;
  return name;
}

export function nameOf([column, row]) {
  return letters(column) + (row + 1);
}

export function squareOf(name) {
  const match = /^([A-Z]+)([1-9][0-9]*)$/.exec(name ?? "");
  if (!match) return null;
  const column = [...match[1]].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
  return [column - 1, Number(match[2]) - 1];
}

export function sizeOf(drawing) {
  if (!drawing) return null;
  const box = drawing.viewBox.baseVal;
  return [Math.round((box.width - MARGIN - 6) / UNIT), Math.round((box.height - MARGIN - 6) / UNIT)];
}

export function markSquare(drawing, square, kind) {
  const mark = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  mark.setAttribute("class", kind);
  mark.setAttribute("x", MARGIN + square[0] * UNIT);
  mark.setAttribute("y", MARGIN + square[1] * UNIT);
  mark.setAttribute("width", UNIT);
  mark.setAttribute("height", UNIT);
  drawing.append(mark);
}

export function pointOn(event) {
  const drawing = event.target.closest?.(".board-drawing");
  const matrix = drawing?.getScreenCTM();
  if (!matrix) return null;
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
  const [x, y] = [(point.x - MARGIN) / UNIT, (point.y - MARGIN) / UNIT];
  const most = sizeOf(drawing);
  if (x < 0 || y < 0 || x >= most[0] || y >= most[1]) return null;
  return { square: [Math.floor(x), Math.floor(y)], x: x % 1, y: y % 1 };
}

// The two squares on both sides of the edge that a point on the board is close to; null if it is far from any.
export function edgeAt({ square, x, y }, most) {
  const [far, across, down] = [[x, -1, 0], [1 - x, 1, 0], [y, 0, -1], [1 - y, 0, 1]].sort((one, other) => one[0] - other[0])[0];
  const beside = [square[0] + across, square[1] + down];
  return far <= 0.34 && isInside(beside, most) ? [square, beside] : null;
}

export function isInside(square, most) {
  return square.every((at, axis) => at >= 0 && at < most[axis]);
}
