/** What lists of the console share: filters, choices of many rows, what stays in sight, and what happens without the gateway. */
import t from 'tap'
import { chat, json, scriptedUpstream } from '../kit/upstream.js'
import { findings } from './kit/axe.js'
import { noBrowser, openConsole } from './kit/browser.js'
import { until } from './kit/guests.js'
import { inTheme, phone, tooWide } from './kit/look.js'

const question = { model: 'gpt-4o', messages: [{ role: 'user', content: 'Hi' }] }
const desk = { width: 1265, height: 720 }

t.test('lists of the console', { skip: noBrowser, timeout: 300_000 }, async (t) => {
  const upstream = await scriptedUpstream(t)
  const { page, open, picture, gateway, expectError } = await openConsole(t)
  const { admin } = gateway
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const rows = page.locator('tbody tr')
  const bar = page.getByTestId('chosen')
  const { knex } = gateway.gateway.service('database')
  await knex.raw(
    `INSERT INTO channels (type, name, models, groups, base_url, tag)
     SELECT 1, 'Channel ' || n, ARRAY['gpt-4o-mini'], ARRAY['default'], 'https://up-' || n || '.example', 'pool'
     FROM generate_series(1, 45) AS n`,
  )
  await admin.channel({
    ...{ type: 1, key: 'sk-up', base_url: upstream.url, models: 'gpt-4o', name: 'Spender' },
    group: 'default',
  })
  const choose = async (name: string, words: string) => {
    await page.getByTestId(name).click()
    await page.locator('.n-base-select-option').getByText(words, { exact: true }).click()
  }

  await t.test('search is live, and the address holds it under its old name', async (t) => {
    await open('/channels')
    await rows.nth(19).waitFor()
    await page.locator('input[name=keyword]').fill('Spender')
    await rows.nth(1).waitFor({ state: 'detached' })
    await page.waitForURL(/keyword=Spender/)
    await page.getByTestId('clear-filters').click()
    await rows.nth(19).waitFor()
    t.equal(await page.locator('input[name=keyword]').inputValue(), '')
    await open('/channels?status=disabled')
    await page.getByText('Nothing found').waitFor()
  })

  await t.test('nothing is cut off at 1280 pixels with a scrollbar', async (t) => {
    await page.setViewportSize(desk)
    await open('/channels?sort_by=used_quota&sort_order=desc')
    const toggle = page.getByRole('switch').first()
    const [on, more] = await Promise.all([
      toggle.boundingBox(),
      button(/^More for/)
        .first()
        .boundingBox(),
    ])
    t.ok(on!.x + on!.width <= more!.x, 'the switch is not below what stands beside it')
    t.equal(await tooWide(page), 0)
    const scroller = page.locator('.n-data-table .n-scrollbar-container').first()
    t.equal(await scroller.evaluate((box) => box.scrollWidth - box.clientWidth), 0)
    for (const theme of ['light', 'dark'] as const) {
      await inTheme(page, theme)
      await picture(`lists-channels-1280-${theme}`)
    }
    await page.setViewportSize(phone)
    await open('/channels')
    await page.getByText('Not tested yet').first().waitFor()
    const seen = await page.getByRole('switch').first().boundingBox()
    t.ok(seen!.x + seen!.width <= phone.width, 'reached without scrolling sideways')
    t.equal(await tooWide(page), 0)
    await picture('lists-channels-390-dark')
    await page.getByTestId('more-filters').click()
    await page.getByTestId('filter-status').waitFor()
    await inTheme(page, 'light')
    await picture('lists-channels-390-light')
    t.strictSame(await findings(page), [])
    await page.setViewportSize(desk)
  })

  await t.test('the bar and the head stay in sight, and all that match are edited', async (t) => {
    await open('/channels?tag=pool')
    await rows.nth(19).waitFor()
    await page.locator('thead .n-checkbox').click()
    await bar.getByText('20 chosen').waitFor()
    await page.evaluate('scrollTo(0, 700)')
    const head = page.locator('thead')
    await until(async () => {
      const [above, below] = await Promise.all([bar.boundingBox(), head.boundingBox()])
      return above!.y >= 0 && Math.abs(above!.y + above!.height - below!.y) < 3
    })
    await picture('lists-chosen')
    await page.getByTestId('choose-all').click()
    await bar.getByText('All 45 that match').waitFor()
    t.strictSame(await findings(page), [])
    await page.getByTestId('edit-chosen').click()
    const dialog = page.getByTestId('edit-many')
    await choose('models-how', 'Remove')
    await page.getByTestId('models-names').click()
    await page.keyboard.type('gpt-4o-mini')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await page.locator('input[name=weight]').fill('7')
    await choose('factor-how', 'Set to')
    await page.locator('input[name=cost_factor]').fill('0.8')
    await page.keyboard.press('Tab')
    await admin.must('PUT', '/api/channel/', { id: 1, models: 'gpt-4o-mini,o3' })
    const what = dialog.getByTestId('what')
    await what
      .and(page.getByText('Models: remove gpt-4o-mini; Weight: 7; Share of the list price: 0.8'))
      .waitFor()
    await picture('lists-edit-many')
    t.strictSame(await findings(page), [])
    await dialog.getByRole('button', { name: 'Change 45 channels' }).click()
    const outcome = page.getByTestId('outcome')
    await outcome.getByText('1 was changed.').waitFor()
    await outcome.getByText('44 stayed as they were').waitFor()
    t.match(await outcome.locator('li').first().innerText(), /would serve no model/)
    await picture('lists-edit-outcome')
    await button('Close').last().click()
    await bar.waitFor({ state: 'detached' })
    t.match(await admin.must('GET', '/api/channel/1'), {
      models: 'o3',
      weight: 7,
      cost_terms: '{"factor":"0.8"}',
    })
    t.match(await admin.must('GET', '/api/channel/2'), { models: 'gpt-4o-mini', weight: 0 })
    const { items } = await admin.must('GET', '/api/audit/?action=channels.changeMany')
    t.match(items[0], { detail: /1 channels: models -gpt-4o-mini; weight 7.*, 44 refused/ })
  })

  await t.test('the log takes new rows in, or counts them where one reads', async (t) => {
    upstream.script(json(200, chat.whole('Hello', 100, 100)))
    await gateway.chat(question)
    await open('/logs')
    await rows.first().waitFor()
    await rows.first().locator('td').nth(2).click()
    await page.getByTestId('detail').waitFor()
    await gateway.chat(question)
    await page.getByTestId('news').getByText('1 new row').waitFor()
    t.ok(await page.getByTestId('detail').isVisible(), 'what is read stays')
    await picture('lists-log-news')
    t.strictSame(await findings(page), [])
    await rows.first().locator('td').nth(2).click()
    await page.getByTestId('detail').waitFor({ state: 'detached' })
    const before = await rows.count()
    await page.getByTestId('news').click()
    await rows.nth(before).waitFor()
    await gateway.chat(question)
    await rows.nth(before + 1).waitFor()
    await open('/channels?sort_by=used_quota&sort_order=desc')
    await rows.first().getByText('Spender').waitFor()
  })

  await t.test('channels that are left alone are those the dashboard counts', async () => {
    upstream.script(json(500, { error: { message: 'out of order' } }))
    const isOpen = async () => (await admin.must('GET', '/api/channel/?breaker=open')).total > 0
    while (!(await isOpen())) await gateway.chat(question)
    await open('/dashboard')
    await page.locator('[data-matter=breakers] a').click()
    await page.waitForURL(/channels\?breaker=open/)
    await rows.getByText('Spender').waitFor()
    await rows.nth(1).waitFor({ state: 'detached' })
  })

  await t.test('a channel is made by keyboard alone, and what is typed is kept', async (t) => {
    upstream.script(json(200, { object: 'list', data: [{ id: 'gpt-4o' }, { id: 'gpt-6' }] }))
    await open('/channels/new')
    const tabTo = async (selector: string) => {
      const target = page.locator(selector)
      for (let presses = 0; presses < 80; presses += 1) {
        const isThere = await target.evaluate((one) => one.matches(':focus-within, :focus'))
        if (isThere) return
        await page.keyboard.press('Tab')
      }
      throw new Error(`Tab does not reach ${selector}`)
    }
    await tabTo('[data-test=type]')
    await page.keyboard.press('Enter')
    await page.keyboard.type('openai')
    await page
      .locator('.n-base-select-option--pending')
      .getByText('OpenAI', { exact: true })
      .waitFor()
    await page.keyboard.press('Enter')
    await tabTo('[name=name]')
    await page.keyboard.press('Control+A')
    await page.keyboard.type('By keyboard')
    await tabTo('[name=key]')
    await page.keyboard.type('sk-by-keyboard')
    await tabTo('[name=base_url]')
    await page.keyboard.type(upstream.url)
    await tabTo('[data-test=models]')
    await page.keyboard.press('Enter')
    await page.keyboard.type('gpt-4o')
    await page.keyboard.press('Tab')
    await page
      .getByTestId('models')
      .locator('.n-tag')
      .getByText('gpt-4o', { exact: true })
      .waitFor()
    await page.keyboard.press('Enter')
    const picker = page.getByTestId('pick-models')
    await picker.getByText('gpt-6').waitFor()
    await picture('lists-pick-models')
    t.strictSame(await findings(page), [])
    t.equal(await picker.getByText('new', { exact: true }).count(), 1, 'what is there is not new')
    await page.keyboard.type('gpt-6')
    await picker.getByText('gpt-4o', { exact: true }).waitFor({ state: 'detached' })
    await tabTo('[data-test=pick-models] li .n-checkbox')
    await page.keyboard.press('Space')
    await tabTo('[data-test=pick-models] button[type=submit]')
    await page.keyboard.press('Enter')
    await picker.waitFor({ state: 'detached' })
    await tabTo('[data-test=channel-form] button[type=submit]')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/channels')
    const { items } = await admin.must('GET', '/api/channel/?keyword=By keyboard')
    t.match(items, [{ models: 'gpt-4o,gpt-6', base_url: upstream.url }])
  })

  await t.test('without the gateway a bar says so, and goes by itself', async (t) => {
    expectError(/ERR_|Failed to fetch|status of 5/)
    await open('/logs')
    await rows.first().waitFor()
    await page.route('**/api/**', (route) => route.abort())
    await button('Refresh').click()
    await page.getByTestId('lost').waitFor({ timeout: 5_000 })
    t.match(await page.getByTestId('old').innerText(), /^As of \d\d:\d\d$/)
    await picture('lists-lost')
    t.strictSame(await findings(page), [])
    const readAgain = page.waitForResponse(/\/api\/log\//)
    await page.unroute('**/api/**')
    await page.getByTestId('lost').waitFor({ state: 'detached' })
    await readAgain
    await page.getByTestId('old').waitFor({ state: 'detached' })
  })
})
