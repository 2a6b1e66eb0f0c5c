/** The page of one API key, and the limits in its form. */
import t from 'tap'
import { chat, json, scriptedUpstream } from '../kit/upstream.js'
import { findings } from './kit/axe.js'
import { noBrowser, openConsole } from './kit/browser.js'
import { inTheme, phone, tooWide } from './kit/look.js'

t.test('a person limits a key and sees what is left', { skip: noBrowser }, async (t) => {
  const upstream = await scriptedUpstream(t)
  upstream.script(json(200, chat.whole('It works.', 900, 1200)))
  const { gateway, page, open, picture, expectError } = await openConsole(t)
  const { admin } = gateway
  const channel = { type: 1, key: 'sk-up', base_url: upstream.url, models: 'gpt-4o-mini' }
  await admin.channel({ ...channel, name: 'one' })
  const { id, key } = await admin.must('POST', '/api/token/', { name: 'website' })
  const read = () => admin.must('GET', `/api/token/${id}`)

  await t.test(
    '[LIMIT-6] the form takes a budget and limits by the minute, and names what is wrong',
    async (t) => {
      await open(`/tokens/${id}/edit`)
      const form = page.getByTestId('limits')
      await form.getByTestId('budget-period').click()
      await page.locator('.n-base-select-option').getByText('Per day').click()
      expectError(/400/)
      await page.getByTestId('save').click()
      await form.getByText('A budget has to be at least 1 unit of quota.').waitFor()
      await form.getByTestId('budget-quota').locator('input').fill('0.01')
      await form.getByTestId('rpm').locator('input').fill('30')
      await form.getByTestId('tpm').locator('input').fill('90000')
      await form.getByTestId('tpm').locator('input').blur()
      t.strictSame(await findings(page), [])
      await picture('token-limits-form')
      await page.getByTestId('save').click()
      await page.waitForURL(`**/tokens/${id}`)
      const limits = { budget_quota: 5000, budget_period: 'day', rpm_limit: 30, tpm_limit: 90_000 }
      t.match(await read(), limits)
    },
  )

  await t.test('a key that is not there offers nothing to do with it', async (t) => {
    expectError(/404/)
    await open('/tokens/999999')
    await page.getByTestId('problem').waitFor()
    for (const action of ['edit', 'replace']) {
      t.equal(await page.getByTestId(action).count(), 0, action)
    }
    t.equal(await page.getByRole('switch').count(), 0)
    await picture('token-missing')
    t.strictSame(await findings(page), [])
  })

  await t.test(
    'the page shows what is left, what was spent, and the newest requests',
    async (t) => {
      for (let call = 0; call < 3; call++) {
        const response = await fetch(`${gateway.url}/v1/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify({
            model: 'gpt-4o-mini',
            max_tokens: 2000,
            messages: [{ role: 'user', content: 'hi' }],
          }),
        })
        t.equal(response.status, 200, await response.text())
      }
      await gateway.gateway.idle()
      await open('/tokens')
      await page.getByRole('link', { name: 'website' }).click()
      await page.waitForURL(`**/tokens/${id}`)
      const budget = page
        .getByTestId('token-limits')
        .getByRole('progressbar', { name: 'Budget of today' })
      await budget.waitFor()
      t.ok(Number(await budget.getAttribute('aria-valuenow')) > 0)
      await page.getByTestId('newest').locator('tbody tr').nth(2).waitFor()
      await page.getByTestId('spend-by-model').waitFor()
      await page.getByText('90 days').click()
      t.strictSame(await findings(page), [])
      await picture('token-page')
      await inTheme(page, 'dark')
      t.strictSame(await findings(page), [])
      await picture('token-page-dark')
      await page.setViewportSize(phone)
      t.equal(await tooWide(page), 0)
      await picture('token-page-phone')
      await page.getByTestId('to-log').click()
      await page.waitForURL(/\/logs\?.*token_name=website/)
    },
  )

  await t.test('a key that leaked is replaced, and keeps what was set for it', async (t) => {
    await page.setViewportSize({ width: 1280, height: 860 })
    await open(`/tokens/${id}`)
    await page.getByTestId('replace').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Replace key' }).click()
    const shown = page.getByTestId('replaced')
    await shown.waitFor()
    const next = await shown.innerText()
    t.strictSame(await findings(page), [])
    await picture('token-replaced')
    const models = (used: string) =>
      fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${used}` } })
    t.equal((await models(next)).status, 200)
    t.equal((await models(key)).status, 401)
    t.match(await read(), { name: 'website', rpm_limit: 30 })
  })
})
