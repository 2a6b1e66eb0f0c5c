/** Dragging a row of an ordered list by its handle, as a hand does it: until the row stays where it should be, then let go. */
import type { ElementHandle, Locator } from 'playwright-core'
import { atRest } from './rest.js'

const triesMax = 3

/** `rows`: those of the list, from one place in it to another. A list that was still moving when it was grabbed is grabbed again. */
export async function drag(rows: Locator, from: number, to: number): Promise<void> {
  const row = await rows.nth(from).elementHandle()
  if (row === null) throw new Error(`no row to drag from ${from}`)
  for (let tries = 0; tries < triesMax; tries += 1) {
    await atRest(rows.page())
    await dragOnce(rows, row, to)
    if ((await placeOf(rows, row)) === to) return
  }
  throw new Error(`the row from ${from} could not be dragged to ${to}`)
}

async function dragOnce(rows: Locator, row: ElementHandle<unknown>, to: number): Promise<void> {
  const page = rows.page()
  const target = await rows.nth(to).boundingBox()
  if (target === null) throw new Error(`no row to drag to ${to}`)
  await rows
    .nth(await placeOf(rows, row))
    .locator('[data-test=handle]')
    .hover()
  await page.mouse.down()
  const [x, y] = [target.x + target.width / 2, target.y + target.height / 2]
  // A row that is still on its way takes another's place, and gives it back: what counts is where it stays.
  for (let tries = 0, stayed = 0; tries < 50 && stayed < 3; tries += 1) {
    await page.mouse.move(x, y + (tries % 2), { steps: 5 })
    await atRest(page)
    stayed = (await placeOf(rows, row)) === to ? stayed + 1 : 0
  }
  await page.mouse.up()
}

function placeOf(rows: Locator, row: ElementHandle<unknown>): Promise<number> {
  return rows.evaluateAll((all, one) => all.indexOf(one as (typeof all)[number]), row)
}
