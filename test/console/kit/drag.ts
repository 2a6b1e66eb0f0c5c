/** Dragging a row of an ordered list by its handle, as a hand does it: until the row stays where it should be, then let go. */
import type { Locator } from 'playwright-core'
import { atRest } from './rest.js'

/** `rows`: those of the list, from one place in it to another. */
export async function drag(rows: Locator, from: number, to: number): Promise<void> {
  const page = rows.page()
  const target = await rows.nth(to).boundingBox()
  const row = await rows.nth(from).elementHandle()
  if (target === null || row === null) throw new Error(`no row to drag from ${from} to ${to}`)
  await rows.nth(from).locator('[data-test=handle]').hover()
  await page.mouse.down()
  const [x, y] = [target.x + target.width / 2, target.y + target.height / 2]
  // A row that is still on its way takes another's place, and gives it back: what counts is where it stays.
  for (let tries = 0, stayed = 0; tries < 50 && stayed < 3; tries += 1) {
    await page.mouse.move(x, y + (tries % 2), { steps: 5 })
    await atRest(page)
    const at = await rows.evaluateAll((all, one) => all.indexOf(one as (typeof all)[number]), row)
    stayed = at === to ? stayed + 1 : 0
  }
  await page.mouse.up()
}
