/** Margins: revenue beside upstream cost, what has no known cost, and the terms of a channel that feed them. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { findings } from './kit/axe.js'
import { noBrowser, openConsole } from './kit/browser.js'
import { inTheme, tooWide } from './kit/look.js'

const dayMs = 86_400_000

t.test('the margin page, and the cost terms of a channel', { skip: noBrowser }, async (t) => {
  const { gateway, page, open, picture, expectError } = await openConsole(t)
  const { admin } = gateway
  const { knex } = gateway.gateway.service('database')
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const channel = (name: string) =>
    admin.channel({ type: 1, key: 'k', name, models: 'gpt-4o-mini' })
  const known = await channel('Known')
  const unknown = await channel('Unknown')

  await t.test('terms are written in the form of the channel', async (t) => {
    await open(`/channels/${known}/settings`)
    const section = page.locator('[data-test=cost]')
    await section.getByLabel('Share of the list price').fill('much')
    await page.getByRole('button', { name: 'Save' }).click()
    await section.getByText(/Not a figure/).waitFor()
    await section.getByLabel('Share of the list price').fill('0.8')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').first().waitFor()
    const { cost_terms } = await admin.must('GET', `/api/channel/${known}`)
    t.equal(cost_terms, '{"factor":"0.8"}')
  })

  await t.test('prices of its own are lines that the keyboard alone fills in', async (t) => {
    await open(`/channels/${known}/settings`)
    const section = page.locator('[data-test=cost]')
    const view = section.locator('[data-test=cost-view]')
    await section.getByRole('button', { name: 'Add a model' }).focus()
    await page.keyboard.press('Enter')
    const line = section.locator('[data-test=cost-line]')
    await page.keyboard.type('gpt-4')
    await page.locator('.n-base-select-option').getByText('gpt-4o-mini').waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForFunction(
      "document.querySelector('[data-test=cost-line] input').value === 'gpt-4o-mini'",
    )
    await line.getByLabel('Input', { exact: true }).focus()
    await page.keyboard.type('x')
    await page.keyboard.press('Tab')
    await line.getByText('Not a figure').waitFor()
    t.ok(await view.isDisabled(), 'what is no figure cannot be shown as JSON')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Control+A')
    await page.keyboard.type('0.15')
    await page.keyboard.press('Tab')
    await page.keyboard.type('.60')
    await page.keyboard.press('Enter')
    await line.getByText('Not a figure').waitFor({ state: 'hidden' })
    t.strictSame(await findings(page), [])
    await section.scrollIntoViewIfNeeded()
    await picture('cost-lines')

    await view.focus()
    await page.keyboard.press('Enter')
    const json = section.locator('textarea')
    t.same(JSON.parse(await json.inputValue()), {
      'gpt-4o-mini': { model_ratio: '0.075', completion_ratio: '4' },
    })
    await json.fill(
      '{"gpt-4o-mini": {"model_ratio": 0.075}, "clip": {"rate_card": {"unit": "second", "price": "0.1"}}, "bad": {"colour": 1}}',
    )
    await view.click()
    t.equal(await line.count(), 3)
    await line
      .nth(1)
      .getByText(/per second/)
      .waitFor()
    await line.nth(2).getByText('Needs a figure').waitFor()
    await line.nth(2).getByLabel('Input', { exact: true }).fill('1')
    await line.nth(2).getByLabel('Input', { exact: true }).press('Enter')
    expectError('400')
    await page.getByRole('button', { name: 'Save' }).click()
    await line
      .nth(2)
      .getByText(/must not hold "colour" for "bad"/)
      .waitFor()
    await line.nth(2).getByRole('button', { name: 'Remove the price of bad' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').first().waitFor()
    const { cost_terms } = await admin.must('GET', `/api/channel/${known}`)
    t.same(JSON.parse(cost_terms), {
      factor: '0.8',
      models: {
        'gpt-4o-mini': { model_ratio: '0.075' },
        clip: { rate_card: { unit: 'second', price: '0.1' } },
      },
    })
    await inTheme(page, 'dark')
    await picture('cost-lines-dark')
    t.strictSame(await findings(page), [])
    await inTheme(page, 'light')
    await page.setViewportSize({ width: 390, height: 844 })
    t.equal(await tooWide(page), 0)
    await section.scrollIntoViewIfNeeded()
    await picture('cost-lines-phone')
    await page.setViewportSize({ width: 1280, height: 860 })
  })

  const rows = Array.from({ length: 60 }, (_, n) => ({
    ...{ request_id: `req_${n}`, type: 2, user_id: 1, username: 'root', group_name: 'default' },
    created_at: new Date(Date.now() - dayMs - n * 6 * 3_600_000),
    ...{ channel_id: n % 3 === 0 ? unknown : known, model_name: 'gpt-4o-mini' },
    upstream_model: 'gpt-4o-mini',
    quota: 500_000,
    // A dollar earned each; the last of them cost two.
    upstream_cost: n % 3 === 0 ? null : n > 55 ? 2_000_000_000 : 800_000_000,
  }))
  await knex.batchInsert('usage_log', rows)
  await gateway.gateway.service('usage-log').roll()

  await t.test('figures are those of the rows, and what is unknown is said', async (t) => {
    await open('/margin')
    await page.locator('[data-test=tile-revenue]').getByText('$40.00', { exact: true }).waitFor()
    await page.locator('[data-test=tile-cost]').getByText('$35.60', { exact: true }).waitFor()
    await page.locator('[data-test=tile-margin]').getByText('$4.40', { exact: true }).waitFor()
    await page.locator('[data-test=tile-percent]').getByText('11%', { exact: true }).waitFor()
    await page
      .locator('[data-test=unknown]')
      .getByText(/\$20\.00 of spend/)
      .waitFor()
    await page.locator('[data-test=chart-margin] [data-drawn=true]').waitFor()
    await page.locator('[data-test=ranking] tbody').getByText('Known', { exact: true }).waitFor()
    await picture('margin-light')
    t.strictSame(await findings(page), [])
    await inTheme(page, 'dark')
    await picture('margin-dark')
    t.strictSame(await findings(page), [])
    await inTheme(page, 'light')
    await page.getByText('Show the channels without cost terms').click()
    await page.waitForURL(/\/channels\?.*cost=none/)
    await page.locator('tbody').getByText('Unknown', { exact: true }).waitFor()
    t.equal(await page.locator('tbody').getByText('Known', { exact: true }).count(), 0)
    await open('/margin')
  })

  await t.test('a line is exported and leads to its rows', async (t) => {
    const download = page.waitForEvent('download')
    await page.locator('[data-test=export]').click()
    const file = await readFile((await (await download).path())!, 'utf8')
    t.match(file, /,Known,\d+,40,40\.00,40\.00,35\.60,4\.40/)
    const body = page.locator('[data-test=ranking] tbody')
    await body.getByText('Known', { exact: true }).click()
    await page.waitForURL(/\/logs\?.*channel=/)
  })

  await t.test('the bill of an upstream is laid beside it, and bad lines are named', async (t) => {
    const day = rows.find(({ upstream_cost }) => upstream_cost !== null)!.created_at
    const date = day.toISOString().slice(0, 10)
    await open('/margin')
    const card = page.locator('[data-test=bill]')
    await card.locator('.n-select').first().click()
    await page.locator('.n-base-select-option').getByText('Known', { exact: true }).click()
    const lines = [
      'Usage Date,Model,Cost (USD)',
      `${date},gpt-4o-mini,100.5`,
      'never,x,1',
      `${date},x,2e-3`,
    ]
    await card.locator('input[type=file]').setInputFiles({
      ...{ name: 'bill.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) },
    })
    await card
      .locator('[data-test=bad]')
      .getByText(/1 line could not .*: 3\. Days must/)
      .waitFor()
    await card
      .locator('[data-test=sums]')
      .getByText(/theirs \$100\.502/)
      .waitFor()
    const first = await card.locator('tbody tr').first().textContent()
    t.match(first, new RegExp(`${date}.*\\$100\\.50`))
    await picture('margin-bill')
    t.strictSame(await findings(page), [])
  })

  await t.test('it fits a phone', async (t) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await open('/margin')
    await page.locator('[data-test=chart-margin] [data-drawn=true]').waitFor()
    t.equal(await tooWide(page), 0)
    await picture('margin-phone')
    const first = page.getByLabel('First day').locator('input').first()
    await first.fill('2026-01-05')
    await first.press('Enter')
    await page.waitForURL(/from=2026-01-05/)
    t.equal(await tooWide(page), 0)
    t.strictSame(await findings(page), [])
  })
  await knex('usage_log').delete()
})
