/**
 * When a page stands still: what fades in is faint for a moment, and so is what is read again; what comes late, such as a
 * font, moves all that is around it.
 */
import type { Page } from 'playwright-core'

/** What stands for something that is still to come. */
const waiting = [
  '.n-skeleton',
  '.n-spin-body',
  '.n-data-table-loading-wrapper',
  '[role=status][aria-busy=true]',
].join()
/** For so many frames in a row nothing may wait or move: what begins because something else ended begins within one. */
const frames = 3
const restMs = 20_000

/** Nothing waits for an answer any more, and nothing moves that will come to an end. Throws where that never comes. */
export async function atRest(page: Page): Promise<void> {
  await page.evaluate(`new Promise((resolve, reject) => {
    const moves = ({ playState, effect }) =>
      playState !== 'finished' && playState !== 'idle' && effect.getComputedTiming().endTime !== Infinity
    const restless = () => {
      if (document.fonts.status !== 'loaded') return 'fonts are being loaded'
      const waits = document.querySelector('${waiting}')
      if (waits !== null) return waits.outerHTML.slice(0, 200)
      const moving = document.getAnimations().find(moves)
      return moving && 'it moves: ' + (moving.effect.target?.outerHTML ?? '').slice(0, 200)
    }
    const until = performance.now() + ${restMs}
    let calm = 0
    const look = () => {
      const why = restless()
      calm = why === undefined ? calm + 1 : 0
      if (calm >= ${frames}) resolve()
      else if (performance.now() > until) reject(new Error('the page came to no rest: ' + why))
      else requestAnimationFrame(look)
    }
    look()
  })`)
}
