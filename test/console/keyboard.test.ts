/** What the component library draws for the mouse alone, done by keyboard, and what it tells nobody, reported. */
import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { findings } from './kit/axe.js'
import { noBrowser, openConsole } from './kit/browser.js'

t.test('tables by keyboard', { skip: noBrowser, timeout: 180_000 }, async (t) => {
  const { gateway, page, open } = await openConsole(t)
  const { admin } = gateway
  await admin.option('ModelRatio', { 'a-model': 3, 'b-model': 1 })
  const channel = { type: 1, name: 'one', key: 'k', base_url: 'http://127.0.0.1:9' }
  await admin.channel({ ...channel, group: 'default', models: 'a-model,b-model' })

  await t.test('a title sorts, and states how', async (t) => {
    await open('/models')
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

  await t.test('pages are turned, and the one shown is reported', async (t) => {
    for (let count = 0; count < 21; count++) await admin.token({ name: `Token ${count}` })
    await open('/tokens')
    const second = page.getByRole('button', { name: '2', exact: true })
    await second.waitFor()
    t.equal(await page.locator('[aria-current=page].n-pagination-item').innerText(), '1')
    const before = page.getByRole('button', { name: 'Previous page' })
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

t.test('controls say what they are', { skip: noBrowser, timeout: 180_000 }, async (t) => {
  const { gateway, page, open } = await openConsole(t)
  const channel = { type: 1, name: 'one', key: 'k', base_url: 'http://127.0.0.1:9' }
  await gateway.admin.channel({ ...channel, group: 'default', models: 'a-model' })

  await t.test(
    'a select states that it opens, what it offers and which is looked at',
    async (t) => {
      await open('/logs')
      const select = page.getByRole('combobox', { name: 'Type' })
      t.equal(await select.getAttribute('aria-expanded'), 'false')
      await select.focus()
      await page.keyboard.press('Enter')
      await page.locator('[role=combobox][aria-expanded=true][aria-controls]').waitFor()
      await page.keyboard.press('ArrowDown')
      const looked = await select.getAttribute('aria-activedescendant')
      t.equal(await page.locator(`#${looked}`).getAttribute('role'), 'option')
      t.strictSame(await findings(page), [])
      await page.keyboard.press('Escape')
      await page.locator('[role=combobox][aria-expanded=true]').waitFor({ state: 'detached' })
      t.equal(await select.getAttribute('aria-controls'), null)
    },
  )

  await t.test('both ends of a span have their own name', async (t) => {
    await page.getByRole('textbox', { name: 'Time span: From' }).waitFor()
    await page.getByRole('textbox', { name: 'Time span: Until' }).waitFor()
    await page.getByRole('group', { name: 'Time span' }).waitFor()
    t.equal(await page.getByRole('textbox', { name: 'Time span', exact: true }).count(), 0)
  })

  await t.test('a select of several has one name for all of its parts', async (t) => {
    await open('/channels/1/settings')
    const groups = page.getByRole('combobox', { name: 'Groups' })
    await groups.waitFor()
    t.equal(await groups.locator('input').getAttribute('aria-labelledby'), await labelOf(groups))
    t.strictSame(await findings(page), [])
  })
})

t.test('questions by keyboard', { skip: noBrowser, timeout: 180_000 }, async (t) => {
  const { gateway, page, open } = await openConsole(t)
  await gateway.admin.token({ name: 'Doomed' })
  await open('/tokens')
  const bin = page.getByRole('button', { name: 'Delete Doomed' })
  const dialog = page.getByRole('dialog')

  await t.test('Enter does nothing that was not meant, and leads back', async (t) => {
    await bin.focus()
    await page.keyboard.press('Enter')
    await dialog.locator('button:focus').getByText('Cancel').waitFor()
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.locator('[aria-label="Delete Doomed"]:focus').waitFor()
    t.equal(await dialog.count(), 0)
  })

  await t.test('after a row is deleted the focus is at its list', async (t) => {
    await page.keyboard.press('Enter')
    await dialog.locator('button:focus').getByText('Cancel').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await bin.waitFor({ state: 'detached' })
    await page.locator('[role=region]:focus').waitFor()
    t.pass('it is')
  })
})

function labelOf(control: Locator): Promise<string | null> {
  return control.getAttribute('aria-labelledby')
}

function namesIn(page: Page): Promise<string[]> {
  return page
    .locator('tbody tr td:first-child')
    .getByText(/-model/)
    .allInnerTexts()
}
