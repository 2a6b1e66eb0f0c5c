/** What the component library draws for the mouse alone, done by keyboard: sorting a table and turning pages. */
import type { Page } from 'playwright-core'
import t from 'tap'
import { findings } from './kit/axe.js'
import { noBrowser, openConsole } from './kit/browser.js'

t.test('tables by keyboard', { skip: noBrowser, timeout: 90_000 }, async (t) => {
  const { gateway, page, open } = await openConsole(t)
  const { admin } = gateway
  await admin.option('ModelRatio', { 'a-model': 3, 'b-model': 1 })
  const channel = { type: 1, name: 'one', key: 'k', base_url: 'http://127.0.0.1:9' }
  await admin.channel({ ...channel, group: 'default', models: 'a-model,b-model' })

  await t.test('a title sorts, and says how', async (t) => {
    await open('/pricing')
    const head = page.getByRole('columnheader', { name: 'Model' })
    await head.getByRole('button', { name: 'Model' }).focus()
    t.equal(await head.getAttribute('aria-sort'), 'none')
    await page.keyboard.press('Enter')
    await page.locator('th[aria-sort=descending]').waitFor()
    t.same(await namesIn(page), ['b-model', 'a-model'])
    await page.keyboard.press('Space')
    await page.locator('th[aria-sort=ascending]').waitFor()
    t.same(await namesIn(page), ['a-model', 'b-model'])
    t.strictSame(await findings(page), [])
  })

  await t.test('pages are turned, and the one shown is told', async (t) => {
    for (let count = 0; count < 21; count++) await admin.token({ name: `Token ${count}` })
    await open('/tokens')
    const second = page.getByRole('button', { name: '2', exact: true })
    await second.waitFor()
    t.equal(await page.locator('[aria-current=page].n-pagination-item').innerText(), '1')
    const before = page.getByRole('button', { name: 'Page before' })
    t.equal(await before.getAttribute('aria-disabled'), 'true')
    await page.getByRole('button', { name: 'Next page' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/tokens?page=2')
    await page.locator('[aria-current=page].n-pagination-item').getByText('2').waitFor()
    await before.focus()
    await page.keyboard.press('Space')
    await page.waitForURL('**/tokens')
    t.strictSame(await findings(page), [])
  })
})

function namesIn(page: Page): Promise<string[]> {
  return page
    .locator('tbody tr td:first-child')
    .getByText(/-model/)
    .allInnerTexts()
}
