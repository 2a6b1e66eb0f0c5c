/** How a list is shown: its columns by mouse and by keyboard, its saved views, and amounts of one column. */
import type { Page } from 'playwright-core'
import t from 'tap'
import { findings } from './kit/axe.js'
import { noBrowser, openConsole } from './kit/browser.js'
import { drag } from './kit/drag.js'
import { inTheme, phone, tooWide } from './kit/look.js'

const desk = { width: 1280, height: 860 }

t.test('how a list is shown', { skip: noBrowser, timeout: 300_000 }, async (t) => {
  const { page, context, open, picture, gateway } = await openConsole(t)
  const { admin } = gateway
  const { knex } = gateway.gateway.service('database')
  await knex.raw(
    `INSERT INTO channels (type, name, models, groups, base_url, tag)
     SELECT 1, 'Channel ' || n, ARRAY['gpt-4o-mini'], ARRAY['default'], 'https://up-' || n || '.example', 'pool'
     FROM generate_series(1, 25) AS n`,
  )
  for (const [name, quota] of [
    ['Large', 600_000_000],
    ['Small', 1],
  ] as const) {
    await admin.must('POST', '/api/redemption', { name, quota }, await admin.prove('balance'))
  }
  const dialog = page.getByTestId('columns-dialog')
  const columns = dialog.locator('[data-column]')
  const menu = page.getByRole('menu')
  const choose = async (words: string) => {
    await page.getByTestId('views').click()
    await menu.getByText(words, { exact: true }).click()
  }
  const viewNamed = (text: string) => page.getByTestId('views').getByText(text, { exact: true })
  const name = page.locator('input[name=view]')
  const form = page.getByTestId('view-form')

  await t.test('columns are hidden and moved by keyboard alone', async (t) => {
    await open('/channels')
    await page.getByTestId('columns').focus()
    await page.keyboard.press('Enter')
    await dialog.waitFor()
    t.strictSame(await findings(page), [])
    await picture('columns-1280-light')
    await dialog.getByRole('checkbox', { name: 'Groups' }).focus()
    await page.keyboard.press('Space')
    await heads(page, (titles) => !titles.includes('Groups'))
    await columns.nth(3).locator('[data-test=handle]').focus()
    await page.keyboard.press('ArrowUp')
    await page
      .getByTestId('columns-status')
      .getByText(/ is now at place 3 of 8/)
      .waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    t.match(new URL(page.url()).searchParams.get('columns'), /^name,-served,latency,health/)
    const titles = await titlesOf(page)
    t.ok(titles.indexOf('Latency') < titles.indexOf('Health'), String(titles))
  })

  await t.test('the choice is kept in this browser, and stands in the address', async (t) => {
    await open('/channels')
    await page.waitForURL(/columns=name,-served|columns=name%2C-served/)
    t.notOk((await titlesOf(page)).includes('Groups'))
    await open('/channels?columns=name,-health')
    t.ok((await titlesOf(page)).includes('Groups'), 'a link goes before what is kept')
    t.notOk((await titlesOf(page)).includes('Health'))
    await open('/channels?columns=gone,-name,weight')
    t.ok(
      (await titlesOf(page)).some((title) => title.startsWith('Channel')),
      'what names the row stays',
    )
  })

  await t.test('columns are dragged, and a sort by a hidden one is stated', async (t) => {
    await open('/channels?sort_by=used_quota&sort_order=desc')
    await page.getByTestId('columns').click()
    await dialog.waitFor()
    await page.getByTestId('reset-columns').click()
    await heads(page, (titles) => titles.includes('Groups'))
    const before = await columns.nth(1).getAttribute('data-column')
    await drag(columns, 1, 2)
    t.equal(await columns.nth(2).getAttribute('data-column'), before)
    await dialog.getByRole('checkbox', { name: 'Spent' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await page
      .getByTestId('sorted-hidden')
      .getByText(/Sorted by “Spent”/)
      .waitFor()
    await inTheme(page, 'dark')
    await picture('columns-hidden-1280-dark')
    await inTheme(page, 'light')
    await page.getByTestId('columns').click()
    await page.getByTestId('reset-columns').click()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByTestId('sorted-hidden').waitFor({ state: 'detached' })
    t.equal(new URL(page.url()).searchParams.get('columns'), null)
  })

  await t.test('a view holds filters, order, page size and columns', async (t) => {
    await open('/channels?tag=pool&sort_by=priority&size=50&columns=name,-served')
    await choose('Save as a new view …')
    await name.fill('   ')
    await page.keyboard.press('Enter')
    await form.getByText('Enter a name.').waitFor()
    await name.fill('Pool by priority')
    await picture('view-save-1280-light')
    t.strictSame(await findings(page), [])
    await page.keyboard.press('Enter')
    await viewNamed('View: Pool by priority').waitFor()
    const saved = new URL(page.url()).search

    await open('/channels')
    await viewNamed('Views').waitFor()
    await choose('Pool by priority')
    await viewNamed('View: Pool by priority').waitFor()
    await page.waitForURL(/size=50/)
    const words = (search: string) => Object.fromEntries(new URLSearchParams(search))
    t.match(words(new URL(page.url()).search), { tag: 'pool', sort_by: 'priority', size: '50' })
    t.match(words(new URL(page.url()).search).columns, /^name,-served/)
    await open(`/channels${saved}`)
    await viewNamed('View: Pool by priority').waitFor()
    t.notOk((await titlesOf(page)).includes('Groups'), 'the address alone shows it')
  })

  await t.test('a view is updated, renamed and deleted, and a name is used once', async () => {
    await page.locator('input[name=keyword]').fill('Channel 7')
    await choose('Pool by priority')
    await page.waitForURL((url) => !url.searchParams.has('keyword'))
    await page.locator('input[name=keyword]').fill('Channel 7')
    await viewNamed('View: Pool by priority (changed)').waitFor()
    await choose('Update “Pool by priority”')
    await viewNamed('View: Pool by priority').waitFor()
    await choose('Save as a new view …')
    await name.fill('POOL by priority')
    await page.keyboard.press('Enter')
    await form.getByText('Another view of this list has this name.').waitFor()
    await page.keyboard.press('Escape')
    await choose('Rename “Pool by priority” …')
    await name.fill('Seventh')
    await page.keyboard.press('Enter')
    await viewNamed('View: Seventh').waitFor()
    await page.getByTestId('views').click()
    await picture('view-menu-1280-light')
    await menu.getByText('Delete “Seventh” …').click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await viewNamed('Views').waitFor()
  })

  await t.test('views another tab saves are seen', async () => {
    const other = await context.newPage()
    await other.goto('/channels?tag=pool')
    await other.getByTestId('views').click()
    await other.getByText('Save as a new view …').click()
    await other.locator('input[name=view]').fill('From another tab')
    await other.keyboard.press('Enter')
    await other.getByText('View: From another tab').waitFor()
    await other.close()
    await choose('From another tab')
    await viewNamed('View: From another tab').waitFor()
  })

  await t.test(
    'where the browser stores nothing that is stated, and the list goes on',
    async (t) => {
      const refused = await context.newPage()
      await refused.addInitScript(`Storage.prototype.setItem = () => { throw new Error('full') }`)
      await refused.goto('/channels')
      await refused.getByTestId('views').click()
      await refused.getByText('Save as a new view …').click()
      await refused.locator('input[name=view]').fill('Lost')
      await refused.keyboard.press('Enter')
      await refused.getByText(/This browser does not store it/).waitFor()
      await refused.keyboard.press('Escape')
      await refused.getByTestId('columns').click()
      await refused.getByRole('checkbox', { name: 'Groups' }).click()
      await refused.getByText(/It lasts until the page is closed/).waitFor()
      t.notOk((await titlesOf(refused)).includes('Groups'))
      await refused.close()
    },
  )

  await t.test('amounts of one column have one number of places', async (t) => {
    await open('/redemption')
    await page.getByText('$1,200.000000', { exact: true }).waitFor()
    await page.getByText('$0.000002', { exact: true }).waitFor()
    await picture('amounts-1280-light')
    await open('/redemption?keyword=Large')
    await page.getByText('$1,200.00', { exact: true }).waitFor()
    t.strictSame(await findings(page), [])
  })

  await t.test('on a phone, and in Chinese', async (t) => {
    await page.setViewportSize(phone)
    await open('/redemption')
    t.equal(await tooWide(page), 0)
    await picture('lists-tools-390-light')
    await page.getByTestId('columns').click()
    await dialog.waitFor()
    await picture('columns-390-light')
    await dialog.getByRole('checkbox', { name: 'Expires' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await heads(page, (titles) => !titles.includes('Expires'))
    t.equal(await tooWide(page), 0)
    await open('/channels')
    await page.getByTestId('views').waitFor()
    t.equal(await page.getByTestId('columns').count(), 0, 'three columns need no choice')
    await page.setViewportSize(desk)
    await page.evaluate(`localStorage['waybill.locale'] = 'zh'`)
    await open('/channels')
    await page.getByTestId('columns').getByText('列设置').click()
    await page.getByRole('button', { name: '恢复默认' }).waitFor()
    await picture('columns-1280-zh')
    t.strictSame(await findings(page), [])
  })
})

async function titlesOf(page: Page): Promise<readonly string[]> {
  await page.locator('thead th').first().waitFor()
  const texts = await page.locator('thead th').allInnerTexts()
  return texts.map((text) => text.trim())
}

async function heads(page: Page, holds: (titles: readonly string[]) => boolean): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (holds(await titlesOf(page))) return
    await page.evaluate('new Promise(requestAnimationFrame)')
  }
  throw new Error(`the columns are ${await titlesOf(page)}`)
}
