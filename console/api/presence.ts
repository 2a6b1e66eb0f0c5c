/** Whether somebody is at the page. What a page reads by itself while nobody is there keeps no session alive. */
const awayMs = 300_000

let lastActMs = performance.now()

for (const act of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart']) {
  addEventListener(
    act,
    () => {
      lastActMs = performance.now()
    },
    { capture: true, passive: true },
  )
}

export function isAway(): boolean {
  return performance.now() - lastActMs > awayMs
}
