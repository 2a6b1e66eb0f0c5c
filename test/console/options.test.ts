/** Options, sign-in providers and the outbox in the console: found, changed together, refused by name, and queried about. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page, Route } from 'playwright-core'
import t from 'tap'
import { mailServer } from '../kit/smtp.js'
import { findings } from './kit/axe.js'
import { consoleOf, noBrowser, openConsole } from './kit/browser.js'
import { until } from './kit/guests.js'
import { phone, tooWide } from './kit/look.js'

t.test('root changes the options', { skip: noBrowser, timeout: 300_000 }, async (t) => {
  const { gateway, page, context, open, picture, expectError } = await openConsole(t)
  const storedOf = async (key: string) => {
    const options = await gateway.admin.must('GET', '/api/option/')
    return options.find((option: { key: string }) => option.key === key)?.value
  }

  await t.test('every option there is stands in a section', async (t) => {
    await open('/options')
    await option(page, 'SystemName').waitFor()
    await picture('options-light')
    const seen = new Set<string>()
    const sections = page.locator('button[data-section]')
    for (const section of await sections.all()) {
      await section.click()
      for (const key of await keysOn(page)) seen.add(key)
      await picture(`options-${await section.getAttribute('data-section')}`)
    }
    const described = await gateway.admin.must('GET', '/api/option/describe')
    const always = described.filter(({ when }: { when?: unknown }) => when === undefined)
    const missing = always.filter(({ key }: { key: string }) => !seen.has(key))
    t.strictSame(missing, [])
  })

  await t.test('several changes are shown old beside new and stored together', async (t) => {
    await open('/options')
    await field(page, 'SystemName').fill('Northwind AI')
    await page.locator('button[data-section=limits]').click()
    await field(page, 'token_setting.max_user_tokens').fill('25')
    await page.locator('button[data-section=joining]').click()
    await option(page, 'RegisterEnabled').getByRole('switch').click()
    await page.getByTestId('save-bar').getByText('3 options changed').waitFor()
    await picture('options-changed')
    await page.getByTestId('review').click()
    const review = page.getByTestId('review-dialog')
    await review.locator('[data-change=SystemName]').getByText('Waybill').waitFor()
    await review.locator('[data-change=SystemName]').getByText('Northwind AI').waitFor()
    await picture('options-review')
    t.strictSame(await findings(page), [])
    await page.getByTestId('save-options').click()
    await page.getByText('3 options stored.').waitFor()
    await page.getByTestId('save-bar').waitFor({ state: 'detached' })
    t.equal(await storedOf('SystemName'), 'Northwind AI')
    t.equal(await storedOf('token_setting.max_user_tokens'), '25')
    t.equal(await storedOf('RegisterEnabled'), 'false')
    await page.locator('aside').getByText('Northwind AI').waitFor()
  })

  await t.test(
    '[API-4] a refusal stands at its option, and nothing of the others is lost',
    async (t) => {
      expectError(/status of 400/)
      await open('/options')
      await field(page, 'TopUpLink').fill('https://shop.example')
      await page.locator('button[data-section=relay]').click()
      await field(page, 'AutomaticRetryStatusCodes').fill('whenever')
      await page.getByTestId('review').click()
      await page.getByTestId('save-options').click()
      await page.getByTestId('review-dialog').getByTestId('problem').waitFor()
      await picture('options-refused')
      await page.getByRole('button', { name: 'Keep editing' }).click()
      await option(page, 'AutomaticRetryStatusCodes').getByRole('alert').waitFor()
      const control = field(page, 'AutomaticRetryStatusCodes')
      t.equal(await control.getAttribute('aria-invalid'), 'true')
      const content = page.locator(`[id="${await control.getAttribute('aria-describedby')}"]`)
      t.match(await content.innerText(), /neither a status code.*Status codes and ranges/s)
      t.equal(await storedOf('TopUpLink'), '', 'all or none')
      await page.locator('button[data-section=general]').click()
      t.equal(await field(page, 'TopUpLink').inputValue(), 'https://shop.example')
      await page.locator('button[data-section=relay]').click()
      await field(page, 'AutomaticRetryStatusCodes').fill('429,500-599')
      await page.getByTestId('review').click()
      await page.getByTestId('save-options').click()
      await page.getByText('2 options stored.').waitFor()
      t.equal(await storedOf('AutomaticRetryStatusCodes'), '429,500-599')
    },
  )

  await t.test('words find an option, and a link leads to it', async (t) => {
    await open('/options')
    await page.getByTestId('option-search').locator('input').fill('smtpport')
    await option(page, 'SMTPPort').waitFor()
    t.strictSame(await keysOn(page), ['SMTPPort'])
    await picture('options-search')
    await page.getByTestId('option-search').locator('input').fill('no such words')
    await page.getByText('Nothing found').waitFor()
    await open('/options#AutomaticDisableKeywords')
    await option(page, 'AutomaticDisableKeywords').waitFor()
    t.match(page.url(), /section=health/)
    t.ok(
      await option(page, 'AutomaticDisableKeywords').isVisible(),
      'shown although it does not count',
    )
  })

  await t.test('JSON keeps its digits, and what is no JSON is not stored', async (t) => {
    await open('/options?section=money')
    const area = field(page, 'GroupRatio')
    await area.fill('{"default": 1,')
    await option(page, 'GroupRatio').getByText('not a JSON object yet').waitFor()
    t.ok(await page.getByTestId('review').isDisabled())
    await picture('options-no-json')
    await area.fill('{"default": 1.10, "vip": 0.80}')
    await page.getByTestId('review').click()
    await page.getByTestId('save-options').click()
    await page.getByText('1 option stored.').waitFor()
    t.match(await storedOf('GroupRatio'), /1\.10,.*0\.80/)
    await open('/options?section=money')
    t.match(await field(page, 'GroupRatio').inputValue(), /\n {2}"default": 1\.10,\n/)
    await page.getByRole('button', { name: 'Group ratios: to the default' }).click()
    await page.getByTestId('save-bar').waitFor()
    await discard(page, 1)
    await page.getByTestId('save-bar').waitFor({ state: 'detached' })
  })

  await t.test('what another admin changed meanwhile is shown before it is lost', async (t) => {
    expectError(/status of 409/)
    await open('/options')
    await field(page, 'TopUpLink').fill('https://mine.example')
    await gateway.admin.option('TopUpLink', 'https://theirs.example')
    await page.getByTestId('review').click()
    await page.getByTestId('save-options').click()
    const change = page.locator('[data-change=TopUpLink]')
    await change.getByText('Somebody else changed this meanwhile.').waitFor()
    await change.locator('.old').getByText('https://theirs.example').waitFor()
    t.equal(await storedOf('TopUpLink'), 'https://theirs.example')
    await picture('options-overtaken')
    t.strictSame(await findings(page), [])
    await page.getByTestId('save-options').click()
    await page.getByText('1 option stored.').waitFor()
    t.equal(await storedOf('TopUpLink'), 'https://mine.example')
  })

  await t.test('an answer that is lost on the way is no failure where all is stored', async (t) => {
    expectError('net::ERR_FAILED')
    await open('/options')
    await field(page, 'ServerAddress').fill('https://gateway.example')
    const lost = (request: Route) =>
      request.request().method() === 'PUT'
        ? request.fetch().then(() => request.abort())
        : request.continue()
    await page.route('**/api/option/', lost)
    await page.getByTestId('review').click()
    await page.getByTestId('save-options').click()
    await page.getByText('1 option stored.').waitFor()
    await page.getByTestId('save-bar').waitFor({ state: 'detached' })
    t.equal(await storedOf('ServerAddress'), 'https://gateway.example')
    await page.unroute('**/api/option/')
    await page.keyboard.press('Tab')
    const focused = page.locator(':focus')
    t.equal(await focused.evaluate((one) => one.closest('main') !== null), true, 'goes on here')
  })

  await t.test('lists for people are written entry by entry', async (t) => {
    await open('/options?section=pages')
    const faq = option(page, 'console_setting.faq')
    await faq.getByTestId('add-entry').click()
    await faq.getByLabel('Question, entry 1').fill('How do I pay?')
    await faq.getByLabel('Answer (Markdown), entry 1').fill('By **invoice**.')
    const news = option(page, 'console_setting.announcements')
    await news.getByTestId('add-entry').click()
    await news.getByLabel('Text (Markdown), entry 1').fill('Maintenance on Sunday, 02:00 UTC.')
    await picture('options-rows')
    t.strictSame(await findings(page), [])
    await page.getByTestId('review').click()
    await page.getByTestId('save-options').click()
    await page.getByText('2 options stored.').waitFor()
    const stored = JSON.parse(await storedOf('console_setting.faq'))
    t.strictSame(stored, [{ id: 1, question: 'How do I pay?', answer: 'By **invoice**.' }])
    t.match(JSON.parse(await storedOf('console_setting.announcements')), [
      { id: 1, content: 'Maintenance on Sunday, 02:00 UTC.', type: 'default' },
    ])
  })

  await t.test('a secret is set, never shown, and removed', async (t) => {
    const isSet = async () => {
      const all = await gateway.admin.must('GET', '/api/option/describe')
      return all.find(({ key }: { key: string }) => key === 'SMTPToken').is_set
    }
    await open('/options#SMTPToken')
    await option(page, 'SMTPToken').getByText('Not set').waitFor()
    await field(page, 'SMTPToken').fill('mail secret')
    await saveAll(page)
    t.equal(await isSet(), true)
    await open('/options#SMTPToken')
    t.equal(await field(page, 'SMTPToken').inputValue(), '')
    await option(page, 'SMTPToken').getByRole('button', { name: 'Remove it' }).click()
    await saveAll(page)
    t.equal(await isSet(), false)
  })

  await t.test('who leaves with changes is queried', async (t) => {
    await open('/options?section=looks')
    await field(page, 'Footer').fill('Imprint')
    await page.locator('aside nav').getByRole('link', { name: 'Dashboard' }).click()
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    await question.getByText('is not saved').waitFor()
    t.strictSame(await findings(page), [])
    await question.getByRole('button', { name: 'Stay' }).click()
    await question.waitFor({ state: 'detached' })
    await page.getByTestId('save-bar').waitFor()
    t.match(page.url(), /options/)
    await discard(page, 1)
  })

  await t.test('in Chinese it is Chinese, and finds what is written in both', async (t) => {
    const browser = context.browser()!
    const chinese = await consoleOf(t, browser, gateway, { locale: 'zh-CN', viewport: phone })
    await chinese.open('/options#notifier.email.starttls')
    const row = option(chinese.page, 'notifier.email.starttls')
    await row.getByText('服务器支持时即使用').waitFor()
    await row.getByText('自动', { exact: true }).waitFor()
    t.equal(await tooWide(chinese.page), 0)
    await chinese.picture('options-chinese-phone')
    const search = chinese.page.getByTestId('option-search').locator('input')
    for (const word of ['客户端访问', 'at which clients reach']) {
      await search.fill(word)
      await option(chinese.page, 'ServerAddress').waitFor()
      t.strictSame(await keysOn(chinese.page), ['ServerAddress'])
    }
  })
})

t.test(
  'root defines sign-in providers and minds the outbox',
  { skip: noBrowser, timeout: 300_000 },
  async (t) => {
    const issuer = createServer((_request, response) => {
      const { port } = issuer.address() as AddressInfo
      const at = (path: string) => `http://127.0.0.1:${port}${path}`
      response.setHeader('content-type', 'application/json')
      response.end(
        JSON.stringify({
          issuer: at(''),
          authorization_endpoint: at('/authorize'),
          token_endpoint: at('/token'),
          userinfo_endpoint: at('/me'),
          scopes_supported: ['openid'],
        }),
      )
    })
    await new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve))
    t.teardown(() => new Promise((resolve) => issuer.close(resolve)))
    const { port } = issuer.address() as AddressInfo
    const { gateway, page, context, open, picture, expectError } = await openConsole(t)
    const { knex } = gateway.gateway.service('database')
    const providers = () => gateway.admin.must('GET', '/api/custom-oauth-provider/')

    await t.test('[AUTH-8] its addresses are read from its discovery document', async (t) => {
      await open('/custom-oauth')
      await page.getByText('No provider of your own yet').waitFor()
      await picture('providers-empty')
      await page.getByTestId('new').click()
      await page.getByLabel('Name', { exact: true }).fill('Contoso ID')
      await page.getByLabel('Slug').fill('contoso')
      await page.locator('input[name=discovery]').fill(`http://127.0.0.1:${port}`)
      await page.getByTestId('discover').click()
      await page.getByText('are filled in from it').first().waitFor()
      t.equal(
        await page.getByLabel('Token endpoint').inputValue(),
        `http://127.0.0.1:${port}/token`,
      )
      await page.getByLabel('Client ID').fill('gateway')
      await page.getByLabel('Client secret', { exact: true }).fill('a secret')
      await page.getByTestId('enabled').click()
      await page.getByTestId('add-rule').click()
      await page.getByLabel('Field of rule 1').fill('realm.roles')
      await page.getByLabel('Value of rule 1').fill('staff')
      await picture('provider-form')
      t.strictSame(await findings(page), [])
      await page.getByTestId('save').click()
      await page.waitForURL('**/custom-oauth')
      t.match(await providers(), [
        {
          slug: 'contoso',
          enabled: true,
          has_client_secret: true,
          token_endpoint: `http://127.0.0.1:${port}/token`,
          access_policy: [{ field: 'realm.roles', operator: 'eq', value: 'staff' }],
        },
      ])
      await picture('providers-light')
    })

    await t.test('what it may not be called is stated at the field', async (t) => {
      expectError(/status of 409/)
      await open('/custom-oauth/new')
      await page.getByLabel('Name', { exact: true }).fill('Another')
      await page.getByLabel('Slug').fill('github')
      await page.getByTestId('save').click()
      await page.getByText('is taken by the gateway itself').waitFor()
      t.equal((await providers()).length, 1)
    })

    await t.test('it is changed without its secret, and deleted after a question', async (t) => {
      page.once('dialog', (dialog) => void dialog.accept())
      await open('/custom-oauth')
      await page.getByRole('link', { name: 'Contoso ID' }).click()
      await page.getByLabel('Name', { exact: true }).fill('Contoso')
      await page.getByTestId('save').click()
      await page.waitForURL('**/custom-oauth')
      t.match(await providers(), [{ name: 'Contoso', has_client_secret: true }])
      const small = await consoleOf(t, context.browser()!, gateway, { viewport: phone })
      await small.open('/custom-oauth/1')
      await small.page.getByLabel('Slug').waitFor()
      await small.picture('provider-phone')
      t.equal(await tooWide(small.page), 0)
    })

    await t.test('[AUTH-8] one people sign in by goes after a second question alone', async (t) => {
      expectError(/status of 409/)
      const ada = { username: 'ada', password: 'a long password here' }
      const { id } = await gateway.admin.must('POST', '/api/user/', ada)
      const binding = { user_id: id, provider: 'contoso', subject: 'ada@contoso' }
      await knex('oauth_identities').insert(binding)
      const dialog = (name: string) => page.getByRole('dialog', { name })
      const first = dialog('Delete Contoso?').getByRole('button', { name: 'Delete' })
      const second = dialog('People sign in by Contoso')
      await page.getByRole('button', { name: 'Delete Contoso' }).click()
      await first.click()
      await second.waitFor()
      await picture('provider-forced')
      await second.getByRole('button', { name: 'Cancel' }).click()
      await second.waitFor({ state: 'detached' })
      t.equal((await providers()).length, 1)
      t.equal((await knex('oauth_identities')).length, 1)
      await page.getByRole('button', { name: 'Delete Contoso' }).click()
      await first.click()
      await second.getByRole('button', { name: 'Unbind them and delete' }).click()
      await page.getByText('No provider of your own yet').waitFor()
      t.strictSame(await providers(), [])
      t.strictSame(await knex('oauth_identities'), [])
    })

    await t.test('the outbox shows what failed and why, of one user, of one state', async (t) => {
      await open('/outbox')
      await page.getByText('Nothing was sent yet').waitFor()
      await picture('outbox-empty')
      const notices = gateway.gateway.service('notifications')
      const [ada] = (await gateway.admin.must('GET', '/api/user/search?keyword=ada')).items
      const notice = { title: 'Balance', content: 'It runs low.', values: [] }
      await notices.notifyRoot({ ...notice, type: 'channel_update' })
      await notices.notify(ada.id, { ...notice, type: 'quota_exceed' })
      const rows = page.getByRole('row')
      await page.getByRole('button', { name: 'Refresh' }).click()
      await rows.filter({ hasText: 'E-mail is not set up here.' }).nth(1).waitFor()
      await picture('outbox-light')
      t.strictSame(await findings(page), [])

      await page.getByTestId('state-delivered').click()
      await page.getByText('Nothing found').waitFor()
      await page.getByTestId('state-failed').click()
      await page.getByTestId('user').click()
      await page.keyboard.type('ada')
      await page.locator('.n-base-select-option').getByText(`ada · #${ada.id}`).click()
      await page.getByText('1 in all').waitFor()
      t.match(page.url(), new RegExp(`state=failed&user_id=${ada.id}`))
      await page.reload()
      await page.getByTestId('user').getByText(`ada · #${ada.id}`).waitFor()
      await rows.getByText('Balance runs low').waitFor()
    })

    await t.test('root sends a notice anew, and it arrives once', async (t) => {
      const server = await mailServer(t)
      await gateway.admin.option('SMTPServer', '127.0.0.1')
      await gateway.admin.option('SMTPPort', server.port)
      await gateway.admin.option('SMTPFrom', 'gateway@example.com')
      await gateway.admin.must('PUT', '/api/user/setting', {
        notification_email: 'root@example.com',
      })
      await open('/outbox')
      const row = page.getByRole('row').filter({ hasText: 'State of a channel' })
      const retry = row.getByRole('button', { name: /Try again: notice/ })
      const requests: string[] = []
      page.on('request', (request) => {
        if (request.url().endsWith('/retry')) requests.push(request.url())
      })
      await retry.dblclick()
      await page.getByText('It is on its way once more.').waitFor()
      await until(() => server.mails.length > 0)
      await page.getByRole('button', { name: 'Refresh' }).click()
      await row.getByText('Delivered').waitFor()
      t.equal(await retry.count(), 0)
      t.equal(requests.length, 1, 'a double click asks once')
      t.strictSame(
        server.mails.map(({ to }) => to),
        [['root@example.com']],
      )
    })
  },
)

function option(page: Page, key: string) {
  return page.locator(`[data-option="${key}"]`)
}

function field(page: Page, key: string) {
  return option(page, key).locator('input, textarea').first()
}

async function keysOn(page: Page): Promise<readonly string[]> {
  const found = page.locator('[data-option]')
  return found.evaluateAll((all) => all.map((one) => one.getAttribute('data-option') ?? ''))
}

async function saveAll(page: Page): Promise<void> {
  await page.getByTestId('review').click()
  await page.getByTestId('save-options').click()
  await page.getByTestId('save-bar').waitFor({ state: 'detached' })
}

async function discard(page: Page, count: number): Promise<void> {
  await page.getByTestId('save-bar').getByRole('button', { name: 'Discard' }).click()
  const title = count === 1 ? 'Discard one change?' : `Discard ${count} changes?`
  const question = page.getByRole('dialog', { name: title })
  await question.getByRole('button', { name: 'Discard' }).click()
}
