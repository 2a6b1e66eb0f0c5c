/** Analytics: figures beside those before, charts, rankings that lead to the log, causes of errors, and a file. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import type { TestGateway } from '../kit/gateway.js'
import { findings } from './kit/axe.js'
import { noBrowser, openConsole, signIn } from './kit/browser.js'
import { inTheme, tooWide } from './kit/look.js'

const hourMs = 3_600_000
const models = ['claude-sonnet-4-5', 'gpt-5.2', 'gemini-3-pro', 'gpt-4o-mini']

/** Two weeks of requests of root and another, one in ten of them failed. */
async function addRequests(
  { gateway }: TestGateway,
  of: Record<'other' | 'channel' | 'key', number>,
) {
  const { other, channel, key } = of
  const { knex } = gateway.service('database')
  const from = Date.now() - 14 * 24 * hourMs
  const rows = Array.from({ length: 14 * 24 * 4 }, (_, n) => {
    const failed = n % 10 === 3
    const ms = 900 + ((n * 7919) % 9_000)
    const owner =
      n % 3 === 0
        ? { user_id: other, username: 'ada', token_name: '' }
        : { user_id: 1, username: 'root', token_id: key, token_name: 'root key' }
    return {
      ...owner,
      request_id: `req_${n}`,
      created_at: new Date(from + n * (hourMs / 4)),
      type: failed ? 5 : 2,
      model_name: models[Math.floor(n / 2) % 4]!,
      channel_id: n % 7 === 0 ? null : channel,
      channel_name: 'Main',
      group_name: 'default',
      quota: failed ? 0 : 400 + ((n * 31) % 4_000),
      prompt_tokens: failed ? 0 : 1_000 + ((n * 17) % 3_000),
      completion_tokens: failed ? 0 : 200 + ((n * 13) % 700),
      use_time_ms: ms,
      is_stream: true,
      detail: failed
        ? { error_code: 'rate_limit_exceeded', status_code: 429, content: 'Too many requests.' }
        : { frt: Math.round(ms / 4) },
    }
  })
  await knex.batchInsert('usage_log', rows, 200)
  const charges = rows.filter(({ type }) => type === 2)
  await knex.batchInsert(
    'billing_requests',
    charges.map(({ request_id, user_id, prompt_tokens, created_at }) => ({
      ...{ request_id, user_id, kind: 'sync', funding_account: 1, state: 'released', revision: 1 },
      ...{ reserved: 0, settled: 0, owner_instance: 'a', owner_epoch: 1, closed_at: created_at },
      usage: { cacheRead: Math.round(prompt_tokens * 0.6), cacheWrite5m: 40 },
    })),
    200,
  )
  await gateway.service('usage-log').roll()
  return rows
}

t.test('analytics of an admin, and of a user', { skip: noBrowser }, async (t) => {
  const { gateway, page, open, picture, expectError } = await openConsole(t)
  const { admin } = gateway
  const { knex } = gateway.gateway.service('database')
  await page.emulateMedia({ reducedMotion: 'reduce' })

  await t.test('a gateway just installed says what comes', async (t) => {
    await open('/analytics')
    await page.locator('[data-test=tile-requests]').getByText('0', { exact: true }).waitFor()
    await page.locator('[data-test=ranking]').getByText('No usage in this period').waitFor()
    await page.getByText('No request failed in this period.').waitFor()
    await page.locator('[data-test=chart-tokens] [data-test=chart-blank]').waitFor()
    await picture('analytics-new-light')
    t.strictSame(await findings(page), [])
  })

  const channel = await admin.channel({ type: 1, key: 'k', name: 'Main', models: 'gpt-4o-mini' })
  await admin.must('POST', '/api/user/', { username: 'ada', password: 'correct horse battery' })
  const { id: ada } = (await admin.must('GET', '/api/user/search?keyword=ada')).items[0]
  const key = (await admin.must('POST', '/api/token/', { name: 'root key' })).id
  const rows = await addRequests(gateway, { other: ada, channel, key })
  const today = Math.floor(Date.now() / (24 * hourMs)) * 24 * hourMs
  const since = (days: number) =>
    rows.filter(({ created_at }) => created_at.getTime() >= today - (days - 1) * 24 * hourMs)

  await t.test('figures, charts, rankings and causes are those of the rows', async (t) => {
    await open('/analytics')
    const requests = page.locator('[data-test=tile-requests]')
    await requests.getByText(String(since(7).length), { exact: true }).waitFor()
    await requests.getByText(/% from \d+/).waitFor()
    const failed = since(7).filter(({ type }) => type === 5).length
    await page.locator('[data-test=errors] tbody td').nth(1).getByText(String(failed)).waitFor()
    for (const name of ['requests', 'spend', 'latency', 'firstToken', 'tokens']) {
      await page.locator(`[data-test=chart-${name}] [data-drawn=true]`).waitFor()
    }
    for (const model of models) {
      await page.locator('[data-test=ranking] tbody').getByText(model, { exact: true }).waitFor()
    }
    await picture('analytics-light')
    t.strictSame(await findings(page), [])
    await inTheme(page, 'dark')
    await picture('analytics-dark')
    t.strictSame(await findings(page), [])
    await inTheme(page, 'light')
  })

  await t.test('every column sorts, and the days stand in the address', async (t) => {
    await page.getByText('30 days', { exact: true }).click()
    const requests = page.locator('[data-test=tile-requests]')
    await requests.getByText(rows.length.toLocaleString('en'), { exact: true }).waitFor()
    t.match(page.url(), /days=30/)
    const head = page.locator('[data-test=ranking] thead th').getByText('Requests', { exact: true })
    await head.click()
    await head.click()
    const cells = page.locator('[data-test=ranking] tbody tr td:nth-child(3)')
    const counts = (await cells.allTextContents()).map((text) => Number(text.replace(',', '')))
    t.strictSame(
      counts,
      counts.toSorted((a, b) => a - b),
    )
    await page.reload()
    await requests.getByText(rows.length.toLocaleString('en'), { exact: true }).waitFor()
  })

  await t.test('a line leads to its rows of the log, and the ranking to a file', async (t) => {
    await page.getByRole('tab', { name: 'Users' }).click()
    const body = page.locator('[data-test=ranking] tbody')
    await body.getByText('ada', { exact: true }).waitFor()
    const download = page.waitForEvent('download')
    await page.locator('[data-test=export]').click()
    const file = await readFile((await (await download).path())!, 'utf8')
    t.match(file, /^\uFEFFfrom,to,user,id,username,requests,errors,quota/)
    t.match(file, /,ada,/)
    await body.getByRole('link', { name: 'Usage log of ada' }).click()
    await page.waitForURL(/\/logs\?.*username=ada/)
    await page.locator('tbody tr').first().getByText('ada').waitFor()
  })

  await t.test(
    'every column is in sight at 1280 px, and arrows stand at their words',
    async (t) => {
      await open('/analytics?days=30')
      const table = page.locator('[data-test=ranking]')
      await table.locator('tbody').getByText('gpt-5.2', { exact: true }).waitFor()
      const box = (await table.boundingBox())!
      const head = (await table.locator('thead th').last().boundingBox())!
      t.ok(head.x + head.width <= box.x + box.width + 1, 'the last column ends within the card')
      const first = table.locator('thead th').first()
      const word = (await first.locator('.n-data-table-th__title').boundingBox())!
      const arrow = (await first.locator('.n-data-table-sorter').boundingBox())!
      t.ok(arrow.x - (word.x + word.width) < 12, 'the arrow of the first column')
      await table.getByText('p50 / p95 / p99').waitFor()
      await picture('analytics-breakdown')
    },
  )

  await t.test('a line leads to its own figures, which a chip states and clears', async (t) => {
    await open('/analytics?days=30&by=user')
    const table = page.locator('[data-test=ranking]')
    await table.locator('tbody').getByRole('link', { name: 'ada', exact: true }).click()
    await page.waitForURL(new RegExp(`/analytics\\?.*user=${ada}`))
    t.match(page.url(), /days=30/, 'the days stay')
    const chip = page.locator('[data-test=only-user]')
    await chip.getByText('ada', { exact: true }).waitFor()
    const requests = page.locator('[data-test=tile-requests]')
    const own = rows.filter(({ user_id }) => user_id === ada)
    await requests.getByText(String(own.length), { exact: true }).waitFor()
    const tabs = page.getByRole('tab')
    t.strictSame(await tabs.allInnerTexts(), ['Models', 'API keys', 'Groups'])
    t.equal(await page.locator('[data-test=pick-channel]').count(), 0, 'no channel of a user')
    await table.getByRole('link', { name: 'Usage log of gpt-5.2' }).waitFor()
    const log = await table.getByRole('link', { name: 'Usage log of gpt-5.2' }).getAttribute('href')
    t.match(log, /model_name=gpt-5.2/)
    t.match(log, /username=ada/)
    const download = page.waitForEvent('download')
    await page.locator('[data-test=export]').click()
    t.match((await download).suggestedFilename(), new RegExp(`^analytics-user-${ada}-model-`))
    await picture('analytics-one-user')
    t.strictSame(await findings(page), [])
    await table.locator('tbody').getByRole('link', { name: 'gpt-5.2', exact: true }).click()
    await page.locator('[data-test=only-model]').getByText('gpt-5.2').waitFor()
    const both = own.filter(({ model_name }) => model_name === 'gpt-5.2')
    await requests.getByText(String(both.length), { exact: true }).waitFor()
    await page.locator('[data-test=no-ranking]').waitFor()
    const failed = both.filter(({ type }) => type === 5).length
    await page.locator('[data-test=errors] tbody td').nth(1).getByText(String(failed)).waitFor()
    const causes = await page.locator('[data-test=errors] tbody a').getAttribute('href')
    t.match(causes, /model_name=gpt-5.2/)
    t.match(causes, /username=ada/)
    await page.goBack()
    await requests.getByText(String(own.length), { exact: true }).waitFor()
    await page.goBack()
    await requests.getByText(rows.length.toLocaleString('en'), { exact: true }).waitFor()
    await page.goForward()
    await chip.getByRole('button', { name: 'Clear ada' }).click()
    await chip.waitFor({ state: 'detached' })
    await requests.getByText(rows.length.toLocaleString('en'), { exact: true }).waitFor()
    t.notMatch(page.url(), /user=/)
  })

  await t.test(
    'one is chosen by picking, and what is deleted is called by its number',
    async (t) => {
      await open('/analytics?days=30')
      await page.locator('[data-test=pick-channel]').click()
      await page.getByText(`Main · #${channel}`).click()
      await page.locator('[data-test=only-channel]').getByText('Main', { exact: true }).waitFor()
      t.match(page.url(), new RegExp(`channel=${channel}`))
      const reached = rows.filter(({ channel_id }) => channel_id === channel)
      const requests = page.locator('[data-test=tile-requests]')
      await requests.getByText(reached.length.toLocaleString('en'), { exact: true }).waitFor()
      t.equal(await page.locator('[data-test=scope-bar] .n-select').count(), 0, 'nothing beside it')
      const download = page.waitForEvent('download')
      await page.locator('[data-test=export]').click()
      const file = await readFile((await (await download).path())!, 'utf8')
      t.match(file, /^\uFEFFat,channel,requests,errors,quota/)
      await picture('analytics-one-channel')
      await open('/analytics?days=30')
      await page.locator('[data-test=pick-model]').click()
      await page.getByText('gpt-4o-mini', { exact: true }).last().click()
      await page.locator('[data-test=only-model]').getByText('gpt-4o-mini').waitFor()
      await open(`/analytics?days=30&token=${key}`)
      await page.locator('[data-test=only-token]').getByText('root key (root)').waitFor()
      const ofKey = rows.filter(({ user_id }) => user_id === 1)
      await requests.getByText(ofKey.length.toLocaleString('en'), { exact: true }).waitFor()
      await open('/analytics?channel=999999')
      await page.locator('[data-test=only-channel]').getByText('Deleted, no. 999999').waitFor()
      await open(`/analytics?channel=${channel}&model=gpt-5.2`)
      expectError(/status of 400/)
      await page.getByText('Only one of these can be chosen.').waitFor()
      await page.locator('[data-test=only-model]').getByRole('button').click()
      await page.getByText('Only one of these can be chosen.').waitFor({ state: 'detached' })
    },
  )

  await t.test('pages of a channel, a user, a key and a model lead to their figures', async () => {
    const from = [
      [`/channels/${channel}`, 'only-channel', 'Main'],
      [`/users/${ada}`, 'only-user', 'ada'],
      [`/tokens/${key}`, 'only-token', 'root key'],
      ['/models/gpt-4o-mini', 'only-model', 'gpt-4o-mini'],
    ] as const
    for (const [address, chip, name] of from) {
      await open(address)
      await page.locator('[data-test=to-analytics]').click()
      await page.locator(`[data-test=${chip}]`).getByText(name, { exact: true }).waitFor()
    }
  })

  await t.test('a customer narrows their own figures, and sees nothing of others', async (t) => {
    const visitor = await page.context().browser()!.newContext({ reducedMotion: 'reduce' })
    await signIn(visitor, gateway.url, { username: 'ada', password: 'correct horse battery' })
    const hers = await visitor.newPage()
    await hers.goto(`${gateway.url}/analytics?days=30&scope=all&user=1&channel=${channel}`)
    const own = rows.filter(({ user_id }) => user_id === ada)
    const requests = hers.locator('[data-test=tile-requests]')
    await requests.getByText(String(own.length), { exact: true }).waitFor()
    for (const name of ['pick-channel', 'pick-user', 'only-user', 'only-channel']) {
      t.equal(await hers.locator(`[data-test=${name}]`).count(), 0, name)
    }
    await hers.locator('[data-test=pick-model]').waitFor()
    await hers.goto(`${gateway.url}/analytics?days=30&token=${key}`)
    await hers.locator('[data-test=only-token]').getByText(`Deleted, no. ${key}`).waitFor()
    await requests.getByText('0', { exact: true }).waitFor()
    await visitor.close()
  })

  await t.test('it fits a phone', async (t) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await open(`/analytics?days=30&user=${ada}`)
    await page.locator('[data-test=only-user]').getByText('ada', { exact: true }).waitFor()
    t.equal(await tooWide(page), 0)
    await picture('analytics-one-user-phone')
    t.strictSame(await findings(page), [])
    await open('/analytics?days=30&by=channel')
    await page.locator('[data-test=ranking]').getByText('No channel was reached').waitFor()
    await page.locator('[data-test=chart-tokens] [data-drawn=true]').waitFor()
    t.equal(await tooWide(page), 0)
    await picture('analytics-phone-light')
    t.strictSame(await findings(page), [])
    await inTheme(page, 'dark')
    await picture('analytics-phone-dark')
    await inTheme(page, 'light')
    await page.setViewportSize({ width: 1280, height: 860 })
  })

  await t.test('the dashboard of everybody shows no balance of root', async (t) => {
    await open('/dashboard')
    await page.locator('[data-test=tile-balance]').waitFor()
    await page.getByText('Everybody', { exact: true }).click()
    await page.locator('[data-test=tile-balance]').waitFor({ state: 'detached' })
    await page.locator('[data-test=tile-errors]').getByText(/%/).waitFor()
    await page.locator('[data-test=tile-latency]').getByText(/ s$/).waitFor()
    await picture('dashboard-everybody-light')
    t.strictSame(await findings(page), [])
  })

  // They were never charged, and the books are looked at when the gateway ends.
  for (const table of ['usage_log', 'billing_requests']) await knex(table).delete()
})
