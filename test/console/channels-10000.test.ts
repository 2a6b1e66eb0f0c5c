/** A table over 10,000 channels stays smooth: pages, search and order are the server's work. */
import t from 'tap'
import { turnMsMax } from '../kit/turn.js'
import { noBrowser, openConsole } from './kit/browser.js'

const rows = 10_000
/**
 * With a hundred rows a page. Counted is what the page itself has to work, since how long one waits states more of what
 * else the machine has to do.
 */
const workMs = 20 * turnMsMax()

t.test('ten thousand channels', { skip: noBrowser }, async (t) => {
  const { page, context, open, picture, gateway } = await openConsole(t)
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

  const metrics = await context.newCDPSession(page)
  await metrics.send('Performance.enable', { timeDomain: 'threadTicks' })

  /** Milliseconds of work since the page was opened. */
  async function worked(): Promise<number> {
    const { metrics: all } = await metrics.send('Performance.getMetrics')
    return 1_000 * (all.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
  }

  /** From an act to the row it brings. */
  async function measured(what: string, act: () => Promise<unknown>, row: string): Promise<void> {
    const start = performance.now()
    const before = await worked()
    await act()
    await body.locator('strong, a').getByText(row, { exact: true }).waitFor()
    const work = Math.round((await worked()) - before)
    t.comment(`${what}: ${work} ms of work, ${Math.round(performance.now() - start)} ms in all`)
    t.ok(work < workMs, `${what} took ${work} ms of work`)
  }

  await open('/channels?size=100')
  await body.getByText('Channel 10000', { exact: true }).waitFor()
  t.equal(await body.locator('tr').count(), 100, 'no more rows than a page has')
  await page.getByText('10,000 in all').waitFor()
  await picture('channels-10000')
  await measured('the next page', () => pageNumber(2).click(), 'Channel 9900')
  await measured('the last page', () => pageNumber(100).click(), 'Channel 1')
  await measured('a search', () => search.fill('Channel 4711'), 'Channel 4711')
  t.equal(await body.locator('tr').count(), 1)
  await measured('all again', () => search.fill(''), 'Channel 10000')
  const byPriority = page.getByRole('button', { name: 'Sort by Priority' })
  await measured('another order', () => byPriority.click(), 'Channel 9302')
  const byTag = page.getByRole('checkbox', { name: 'By tag' })
  await measured('gathered by tag', () => byTag.click(), 'pool 19')
  t.equal(await body.getByText('500 channels').count(), 20, 'counted, though not all are shown')
})
