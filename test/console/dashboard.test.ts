/** The dashboard: figures and charts of one's own usage and of everybody's, first steps, what the operator tells. */
import t from 'tap'
import { management } from '../kit/management.js'
import { chat, json, scriptedUpstream } from '../kit/upstream.js'
import { findings } from './kit/axe.js'
import { consoleOf, noBrowser, openConsole } from './kit/browser.js'
import { inTheme, phone, tooWide } from './kit/look.js'
import { addHistory } from './usage-history.js'

t.test(
  'the dashboard shows balance, spending and charts, and keeps up',
  { skip: noBrowser },
  async (t) => {
    const upstream = await scriptedUpstream(t)
    upstream.script(json(200, chat.whole('Hello', 100, 20)))
    const { gateway, page, open, picture } = await openConsole(t)
    const { admin } = gateway
    const channel = { type: 1, key: 'sk-up', base_url: upstream.url, models: 'gpt-4o-mini' }
    await admin.channel({ ...channel, name: 'Main' })
    await admin.must('POST', '/api/user/', { username: 'ada', password: 'correct horse battery' })
    const { id: ada } = (await admin.must('GET', '/api/user/search?keyword=ada')).items[0]
    const history = await addHistory(gateway, [
      { model: 'gpt-5.2', userId: ada, most: 30_000 },
      { model: 'deepseek-v4', userId: ada, most: 14_000 },
    ])
    const dollars = (quota: bigint) =>
      `$${(Number(quota) / 500_000).toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`
    const spentMonth = page.locator('[data-test=tile-spent]').nth(2)

    await t.test('one sees what was spent, drawn and as a table', async (t) => {
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await open('/dashboard')
      await page.locator('[data-test=tile-balance]').getByText('$20.00').waitFor()
      await spentMonth.getByText(dollars(history.own)).waitFor()
      await page.locator('[data-test=first-steps]').waitFor()
      await page.getByText('30 days', { exact: true }).click()
      await page.locator('[data-test=spend] [data-drawn=true]').waitFor()
      await page.locator('[data-test=share] [data-drawn=true]').waitFor()
      await picture('dashboard-new-light')
      t.strictSame(await findings(page), [])
      const spend = page.locator('[data-test=spend]')
      await spend.locator('[data-test=chart-toggle]').click()
      const heads = await spend.locator('thead th').allTextContents()
      t.match(heads, ['claude-sonnet-4-5', 'gpt-5.2', 'gemini-3-pro', 'gpt-4o-mini'])
      t.equal(heads.at(-1), 'Total')
      const rows = await spend.locator('tbody tr td:last-child').allTextContents()
      const sum = rows.reduce((total, text) => total + Number(text.replace(/[$,]/g, '')), 0)
      t.equal(Math.round(sum * 500_000), Number(history.own), 'the table holds every unit')
      t.strictSame(await findings(page), [])
      await spend.locator('[data-test=chart-toggle]').click()
    })

    await t.test('what needs an admin stands there, each with the way to it', async (t) => {
      const attention = page.locator('[data-test=attention]')
      const matter = (name: string) => attention.locator(`[data-matter=${name}] a`)
      t.equal(await attention.count(), 0, 'all is well')
      const odd = await admin.channel({ ...channel, name: 'Odd', models: 'nobody-priced-this' })
      const id = await admin.channel({ ...channel, name: 'Old' })
      const { knex } = gateway.gateway.service('database')
      await knex('channels').where({ id }).update({ status: 3 })
      await page.route('**/api/plugins', async (route) => {
        const answer = await route.fetch()
        const body = await answer.json()
        Object.assign(body.data.plugins[0], { state: 'failed', reason: 'no luck' })
        await route.fulfill({ json: body })
      })
      await open('/dashboard')
      await matter('prices').getByText('1 model has no price').waitFor()
      await matter('plugins').getByText('1 plugin failed').waitFor()
      await matter('switchedOff').getByText('1 channel is switched off').waitFor()
      await picture('dashboard-attention-light')
      t.strictSame(await findings(page), [])
      await inTheme(page, 'dark')
      await picture('dashboard-attention-dark')
      t.strictSame(await findings(page), [])
      await inTheme(page, 'light')
      await matter('switchedOff').click()
      await page.locator('tbody tr').filter({ hasText: 'Old' }).waitFor()
      t.equal(await page.locator('tbody tr').count(), 1)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await admin.must('DELETE', '/api/channel/disabled')
      await admin.must('DELETE', `/api/channel/${odd}`)
      await open('/dashboard')
      await page.locator('[data-test=tile-balance]').getByText('$20.00').waitFor()
      await page.locator('[data-test=first-steps]').waitFor()
      t.equal(await attention.count(), 0)
    })

    await t.test('a request shows at once, and the first steps are gone', async () => {
      const answer = await gateway.chat({
        model: 'gpt-4o-mini',
        messages: [{ role: 'user', content: 'x' }],
      })
      t.equal(answer.status, 200)
      await page.locator('[data-test=first-steps]').waitFor({ state: 'detached' })
      const balance = await gateway.balance()
      const left = `$${(Number(balance) / 500_000).toFixed(2)}`
      await page.locator('[data-test=tile-balance]').getByText(left).waitFor()
    })

    await t.test('admins see everybody, and who spends most', async (t) => {
      await page.getByText('Everybody', { exact: true }).click()
      await spentMonth
        .getByText(dollars(history.all + (10_000_000n - (await gateway.balance()))))
        .waitFor()
      const users = page.locator('[data-test=users]')
      await users.locator('[data-test=chart-toggle]').click()
      t.match(await users.locator('tbody th').allTextContents(), ['root', 'ada'])
      await users.locator('[data-test=chart-toggle]').click()
      await inTheme(page, 'dark')
      await page.locator('[data-test=users] [data-drawn=true]').waitFor()
      await page.evaluate('scrollTo(0, 0)')
      await picture('dashboard-all-dark')
      t.strictSame(await findings(page), [])
    })

    await t.test(
      'notice, announcements, addresses and questions stand there once they are written',
      async (t) => {
        const texts = {
          Notice: 'Maintenance on **Sunday**, 02:00–03:00 UTC. <script>alert(1)</script>',
          'console_setting.announcements': [
            {
              content: 'GPT-5.2 is here, at **$1.25 / 1M** input.',
              publishDate: '2026-11-18T09:00:00Z',
              type: 'success',
            },
            {
              content: 'Gemini was slow for an hour.',
              publishDate: '2026-11-20T16:30:00Z',
              type: 'warning',
              extra: 'Solved.',
            },
          ],
          'console_setting.api_info': [
            {
              url: 'https://eu.gateway.example',
              route: 'Europe',
              description: 'Frankfurt',
              color: 'blue',
            },
          ],
          'console_setting.faq': [
            { question: 'How am I charged?', answer: 'By **tokens**, exactly.' },
          ],
        }
        for (const [key, value] of Object.entries(texts)) await admin.option(key, value)
        for (const name of ['api_info', 'announcements', 'faq']) {
          await admin.option(`console_setting.${name}_enabled`, true)
        }
        await inTheme(page, 'light')
        await page.setViewportSize({ width: 390, height: 844 })
        await open('/dashboard')
        await page.getByText('24 hours', { exact: true }).click()
        await page.getByText('Gemini was slow for an hour.').waitFor()
        await page.locator('[data-test=notice] strong').getByText('Sunday').waitFor()
        t.equal(await page.locator('[data-test=notice] script').count(), 0)
        await page.getByText('How am I charged?').click()
        await page.getByText('By tokens, exactly.').waitFor()
        await page.locator('[data-test=share] [data-drawn=true]').waitFor()
        const wide = await tooWide(page)
        t.ok(wide === 0, `nothing overflows a phone: ${wide}`)
        await page.evaluate('scrollTo(0, 0)')
        await picture('dashboard-news-phone')
      },
    )
  },
)

t.test(
  'users see their own usage alone, and what is held for them',
  { skip: noBrowser },
  async (t) => {
    const upstream = await scriptedUpstream(t)
    const { gateway, page, open, context } = await openConsole(t, { signedIn: false })
    const { admin } = gateway
    await admin.channel({
      name: 'Main',
      type: 1,
      key: 'sk-up',
      base_url: upstream.url,
      models: 'gpt-4o-mini',
    })
    const person = { username: 'ada', password: 'correct horse battery' }
    await admin.must('POST', '/api/user/', person)
    const { id } = (await admin.must('GET', '/api/user/search?keyword=ada')).items[0]
    await admin.credit(id, 5_000_000)
    const ada = management(gateway.url)
    await ada.login(person.username, person.password)
    const { key } = await ada.token()
    await context.request.post('/api/user/login', { data: person })

    let answer: () => void = () => {}
    const pending = new Promise<void>((resolve) => {
      upstream.script(async (request, response) => {
        resolve()
        await new Promise<void>((go) => {
          answer = go
        })
        await json(200, chat.whole('Hello', 100, 20))(request, response)
      })
    })
    const sent = fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'x' }] }),
    })
    await pending
    const { held } = await ada.must('GET', '/api/user/self')
    t.ok(held > 0)
    await open('/dashboard')
    await page.locator('[data-test=tile-balance]').getByText('set aside').waitFor()
    t.equal(await page.getByText('Everybody', { exact: true }).count(), 0)
    answer()
    await (await sent).json()
    await gateway.gateway.idle()
    t.equal((await ada.must('GET', '/api/user/self')).held, 0)
    await open('/dashboard')
    await page.locator('[data-test=tile-balance] strong').waitFor()
    t.equal(await page.getByText('set aside').count(), 0)
  },
)

t.test(
  'the first steps are hidden for good, and go where anybody has sent a request',
  { skip: noBrowser },
  async (t) => {
    const upstream = await scriptedUpstream(t)
    upstream.script(json(200, chat.whole('Hello', 100, 20)))
    const { gateway, page, context, open, picture } = await openConsole(t)
    const { admin } = gateway
    const channel = { type: 1, key: 'sk-up', base_url: upstream.url, models: 'gpt-4o-mini' }
    await admin.channel({ ...channel, name: 'Main' })
    const steps = page.getByTestId('first-steps')
    await open('/dashboard')
    await steps.waitFor()
    await picture('dashboard-steps-1280')
    await page.setViewportSize(phone)
    await picture('dashboard-steps-390')
    t.equal(await tooWide(page), 0)
    await steps.getByRole('button', { name: 'Hide' }).click()
    await steps.waitFor({ state: 'detached' })
    const other = await consoleOf(t, context.browser()!, gateway)
    await other.open('/dashboard')
    await other.page.waitForLoadState('networkidle')
    t.equal(await other.page.getByTestId('first-steps').count(), 0, 'in every browser')

    await admin.must('PUT', '/api/user/self', { first_steps_hidden: false })
    await open('/dashboard')
    await steps.waitFor()
    const person = { username: 'ada', password: 'correct horse battery' }
    const { id } = await admin.must('POST', '/api/user/', person)
    await admin.credit(id, 5_000_000)
    const ada = management(gateway.url)
    await ada.login(person.username, person.password)
    const { key } = await ada.token()
    const answer = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'x' }] }),
    })
    t.equal(answer.status, 200, await answer.text())
    await gateway.gateway.idle()
    t.match(await admin.must('GET', '/api/user/self'), { request_count: 0 }, 'none of root')
    await open('/dashboard')
    await page.waitForLoadState('networkidle')
    t.equal(await steps.count(), 0)
  },
)
