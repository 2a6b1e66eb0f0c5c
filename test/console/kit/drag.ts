/** Dragging a row of an ordered list by its handle, as a hand does it: until the row is where it should be, then let go. */
import type { Locator } from 'playwright-core'

/** `rows`: those of the list, each of which keeps its place in the document while it is dragged. */
export async function drag(rows: Locator, from: number, to: number): Promise<void> {
  const page = rows.page()
  const target = await rows.nth(to).boundingBox()
  const row = await rows.nth(from).elementHandle()
  if (target === null || row === null) throw new Error(`no row to drag from ${from} to ${to}`)
  await rows.nth(from).locator('[data-test=handle]').hover()
  await page.mouse.down()
  const [x, y] = [target.x + target.width / 2, target.y + target.height / 2]
  // Rows that are still on their way take no other's place: the hand stays there, never quite still.
  for (let tries = 0; tries < 50; tries += 1) {
    await page.mouse.move(x, y + (tries % 2), { steps: 5 })
    if (
      (await rows.evaluateAll((all, one) => all.indexOf(one as (typeof all)[number]), row)) === to
    )
      break
  }
  await page.mouse.up()
}
