/** A table over 10,000 channels stays smooth: pages, search and order are the server's work. */
import t from 'tap'
import { noBrowser, openConsole } from './kit/browser.js'

const rows = 10_000
/** With a hundred rows a page, on a machine that has other tests to run; alone it is a tenth of that. */
const smoothMs = 5_000

t.test('ten thousand channels', { skip: noBrowser }, async (t) => {
  const { page, open, picture, gateway } = await openConsole(t)
  const { knex } = gateway.gateway.service('database')
  await knex.raw(
    `INSERT INTO channels (type, name, models, groups, priority, base_url, tag)
     SELECT (ARRAY[1, 14, 24, 43])[1 + n % 4], 'Channel ' || n, ARRAY['gpt-4o', 'model-' || n % 50],
       ARRAY['default'], n % 7, 'https://upstream-' || n || '.example', 'pool ' || n % 20
     FROM generate_series(1, ?::int) AS n`,
    [rows],
  )
  const body = page.locator('tbody')
  const search = page.getByLabel('Name, id, key, address')
  const pageNumber = (number: number) =>
    page.locator('.n-pagination-item').filter({ hasText: new RegExp(`^${number}$`) })

  /** Milliseconds from an act to the row it brings. */
  async function measured(what: string, act: () => Promise<unknown>, row: string): Promise<void> {
    const before = performance.now()
    await act()
    await body.getByText(row, { exact: true }).waitFor()
    const ms = Math.round(performance.now() - before)
    t.comment(`${what}: ${ms} ms`)
    t.ok(ms < smoothMs, `${what} took ${ms} ms`)
  }

  await open('/channels?size=100')
  await body.getByText('Channel 10000', { exact: true }).waitFor()
  t.equal(await body.locator('tr').count(), 100, 'no more rows than a page has')
  await page.getByText('10000 in all').waitFor()
  await picture('channels-10000')
  await measured('the next page', () => pageNumber(2).click(), 'Channel 9900')
  await measured('the last page', () => pageNumber(100).click(), 'Channel 1')
  await measured('a search', () => search.fill('Channel 4711'), 'Channel 4711')
  t.equal(await body.locator('tr').count(), 1)
  await measured('all again', () => search.fill(''), 'Channel 10000')
  const byPriority = page.getByRole('button', { name: 'Sort by Priority' })
  await measured('another order', () => byPriority.click(), 'Channel 9302')
})
