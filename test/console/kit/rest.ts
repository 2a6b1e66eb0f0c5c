/** When a page stands still: what fades in is faint for a moment, and a table that is read again is too. */
import type { Page } from 'playwright-core'

const waiting = '.n-skeleton, .n-spin-body, .n-data-table-loading-wrapper'

/** Nothing waits for an answer any more, and nothing moves that will come to an end. */
export async function atRest(page: Page): Promise<void> {
  await page.locator(waiting).first().waitFor({ state: 'detached' })
  await page.evaluate(`Promise.all(
    document.getAnimations()
      .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
      .map(({ finished }) => finished.catch(() => undefined)),
  ).then(() => undefined)`)
}
