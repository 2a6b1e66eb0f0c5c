/** What anybody sees of a gateway: its home page, what it charges, and the texts of its operator. */
import t from 'tap'
import type { TestGateway } from '../kit/gateway.js'
import { chat, json, scriptedUpstream } from '../kit/upstream.js'
import { findings } from './kit/axe.js'
import { noBrowser, openConsole } from './kit/browser.js'

t.test('public pages', { skip: noBrowser, timeout: 300_000 }, async (t) => {
  const testGateway = await openConsole(t, { signedIn: false })
  const { gateway, page, open, picture, expectError } = testGateway
  const { admin } = gateway
  expectError(/status of 401/)

  await t.test(
    'the home page of a bare gateway shows its address and how it is called',
    async (t) => {
      await open('/')
      t.equal(await page.locator('[data-test=address]').innerText(), gateway.url)
      t.match(
        await page.locator('pre').first().innerText(),
        `curl ${gateway.url}/v1/chat/completions`,
      )
      await picture('home-light')
      t.strictSame(await findings(page), [])
      await page.getByRole('button', { name: 'Messages', exact: true }).click()
      await page.getByRole('tab', { name: 'curl' }).press('ArrowRight')
      const code = page.locator('pre:visible')
      await code.getByText('from anthropic import Anthropic').waitFor()
      await page.getByRole('button', { name: 'Copy Sample in Python' }).click()
      const copied = await page.evaluate('navigator.clipboard.readText()')
      t.match(copied, `base_url="${gateway.url}"`)
      await open('/models')
      await page.getByText('No model is offered yet').waitFor()
      await picture('pricing-empty-light')
    },
  )

  await offer(gateway)

  await t.test(
    'prices are those of the group, in the currency shown, and found by any word',
    async (t) => {
      await open('/models')
      const row = (name: string) => page.getByRole('row').filter({ hasText: name })
      await row('gpt-4o-mini').waitFor()
      await picture('pricing-light')
      t.strictSame(await findings(page), [])
      // Ratio 0.075 is $0.15 a million; the cheapest group of this model has the factor 0.5.
      t.match(await row('gpt-4o-mini').innerText(), /\$0\.075\s+\$0\.30/)
      t.match(await row('dall-e-3').innerText(), /\$0\.04 per call/)
      t.match(await row('free-model').innerText(), /Free/)

      await choose(page, 'group', /^Everybody/)
      await page.getByText('Prices of the group default.').waitFor()
      t.match(page.url(), /group=default/)
      t.match(await row('gpt-4o-mini').innerText(), /\$0\.15\s+\$0\.60\s+\$0\.075/)
      await page.locator('input[name=q]').fill('claude reasoning')
      await page.getByText('1 of 5 models.').waitFor()
      await row('claude-sonnet-4-5').waitFor()
      await page.getByRole('link', { name: 'claude-sonnet-4-5' }).click()
      await page.waitForURL('**/models/claude-sonnet-4-5')
      await page.getByText('POST /v1/messages').waitFor()
      t.match(
        await page.getByRole('row').last().innerText(),
        /default[\s\S]*×1[\s\S]*\$3\.00[\s\S]*\$15\.00/,
      )
      await picture('pricing-model-light')
      t.strictSame(await findings(page), [])
      await page.goBack()
      await page.getByText('1 of 5 models.').waitFor()

      await page.reload()
      await page.getByText('1 of 5 models.').waitFor()
      await page.locator('input[name=q]').fill('no such model')
      await page.getByText('Nothing found').waitFor()
      await picture('pricing-nothing-light')
      await page.getByRole('button', { name: 'Clear filters' }).first().click()
      await page.getByText('5 of 5 models.').waitFor()
      await choose(page, 'vendor', /^Anthropic/)
      await page.getByText('1 of 5 models.').waitFor()
      await open('/models?billing=call')
      await page.getByText('1 of 5 models.').waitFor()
      await open('/models?view=cards')
      await page.getByText('$0.075 in, $0.30 out per million tokens').waitFor()
      await picture('pricing-cards-light')
      t.strictSame(await findings(page), [])

      await admin.option('general_setting.quota_display_type', 'CNY')
      await admin.option('USDExchangeRate', 7)
      await open('/models?group=default')
      t.match(await row('gpt-4o-mini').innerText(), /¥1\.05\s+¥4\.20/)
      await admin.option('general_setting.quota_display_type', 'USD')
    },
  )

  await t.test('the price reported of audio is the price charged', async (t) => {
    const upstream = await scriptedUpstream(t)
    const channel = { type: 1, key: 'sk-upstream', base_url: upstream.url, group: 'default' }
    await admin.channel({ ...channel, name: 'speaking', models: 'speaks' })
    const ratios = { model_ratio: 1.25, completion_ratio: 3, audio_ratio: 8 }
    await admin.must('PUT', '/api/prices/', { changes: { speaks: ratios } })
    const whole = chat.whole('Hello', 1_000, 2_000)
    const usage = {
      prompt_tokens: 1_000,
      completion_tokens: 2_000,
      total_tokens: 3_000,
      prompt_tokens_details: { audio_tokens: 1_000 },
      completion_tokens_details: { audio_tokens: 2_000 },
    }
    upstream.script(json(200, { ...whole, usage }))
    const message = { role: 'user', content: 'Hi' }
    await (await gateway.chat({ model: 'speaks', messages: [message] })).text()
    const [log] = await gateway.logs()
    await open('/models?q=speaks')
    await page.getByRole('link', { name: 'speaks', exact: true }).click()
    await page.waitForURL('**/models/speaks')
    const prices = await page.getByRole('row', { name: /default/ }).innerText()
    // A thousand tokens in at $20 a million, two thousand out at $60.
    t.match(prices, /\$20\.00\s+\$60\.00/)
    t.equal(log?.quota, ((1_000 * 20 + 2_000 * 60) / 1_000_000) * 500_000)
    await picture('pricing-audio-light')
    await admin.must('PUT', '/api/prices/', { changes: { speaks: null } })
  })

  await t.test(
    'texts of the operator are shown, and what could run in them does not',
    async (t) => {
      for (const path of ['/notice', '/about', '/user-agreement', '/privacy-policy']) {
        await open(path)
        await page.locator('[data-test=empty]').waitFor()
      }
      await picture('legal-empty-light')
      await admin.option('Notice', '**Maintenance** on Sunday. [Status](https://status.example)')
      await admin.option('console_setting.announcements', [
        { content: 'Claude is back.', publishDate: '2026-03-02T10:00:00Z', type: 'success' },
        {
          content: 'Claude is slow.',
          publishDate: '2026-03-01T10:00:00Z',
          type: 'warning',
          extra: 'We look into it.',
        },
      ])
      await admin.option('console_setting.faq', [
        { question: 'How do I pay?', answer: 'By **card**.' },
      ])
      await open('/notice')
      await page.reload()
      await page.getByText('Maintenance').waitFor()
      t.match(await page.locator('[data-test=announcements]').innerText(), /back[\s\S]*slow/)
      await page.getByText('How do I pay?').click()
      await page.getByText('card').waitFor()
      await picture('notice-light')
      t.strictSame(await findings(page), [])

      const hostile = [
        '<h1>Our gateway</h1><p onclick="hacked()">Text <b>bold</b> <a href="javascript:hacked()">here</a></p>',
        '<script>document.title = "hacked"</script><img src="x" onerror="document.title = \'hacked\'">',
        '<iframe src="https://other.example"></iframe><form action="https://other.example"><input></form>',
        '<svg onload="hacked()"><a href="https://other.example">x</a></svg>',
        '<a href="https://good.example/">good</a>',
      ]
      await admin.option('About', hostile.join(''))
      await open('/about')
      await page.getByText('bold').waitFor()
      const about = page.locator('.html')
      t.equal(
        await about.locator('script, iframe, form, input, svg, [onclick], [onerror]').count(),
        0,
      )
      t.equal(await about.getByText('here').getAttribute('href'), null)
      t.equal(await about.getByText('good').getAttribute('href'), 'https://good.example/')
      t.notMatch(await page.title(), /hacked/)
      await picture('about-light')
      t.strictSame(await findings(page), [])

      await admin.option('legal.privacy_policy', 'https://legal.example/privacy')
      await open('/privacy-policy')
      const away = page.getByRole('link', { name: 'Open the page of the operator' })
      t.equal(await away.getAttribute('href'), 'https://legal.example/privacy')
      await picture('privacy-policy-away-light')
    },
  )

  await t.test(
    'the footer of the operator stands below, and what could run in it does not',
    async (t) => {
      await open('/')
      t.equal(await page.getByRole('contentinfo').count(), 0, 'without one there is none')
      const footer =
        '<p>© Acme · <a href="https://acme.example/imprint" onclick="hacked()">Imprint</a></p><script>document.title = "hacked"</script>'
      await admin.option('Footer', footer)
      for (const path of ['/', '/models', '/notice']) {
        await open(path)
        const link = page.getByRole('contentinfo').getByRole('link', { name: 'Imprint' })
        t.equal(await link.getAttribute('href'), 'https://acme.example/imprint', path)
        t.equal(await link.getAttribute('onclick'), null)
      }
      t.notMatch(await page.title(), /hacked/)
      await picture('footer-light')
      t.strictSame(await findings(page), [])
      await admin.option('Footer', '')
    },
  )

  await t.test('the operator may write the home page', async (t) => {
    await admin.option(
      'HomePageContent',
      '# Acme models\n\nAsk *us*.\n\n| a | b |\n|---|---|\n| 1 | 2 |',
    )
    await open('/')
    await page.getByText('Acme models').waitFor()
    t.equal(await page.locator('[data-test=address]').count(), 0)
    await picture('home-own-light')
    t.strictSame(await findings(page), [])
    await admin.option('HomePageContent', '')
  })
})

/** Five models of several makers, in two groups, priced in every way there is. */
async function offer({ admin }: TestGateway): Promise<void> {
  await admin.option('GroupRatio', { default: 1, vip: 0.5 })
  await admin.option('UserUsableGroups', { default: 'Everybody', vip: 'Half the price' })
  await admin.option('ModelRatio', {
    'gpt-4o-mini': 0.075,
    'gpt-4o': 1.25,
    'claude-sonnet-4-5': 1.5,
  })
  await admin.option('CompletionRatio', { 'gpt-4o-mini': 4, 'gpt-4o': 4, 'claude-sonnet-4-5': 5 })
  await admin.option('CacheRatio', { 'gpt-4o-mini': 0.5, 'gpt-4o': 0.5, 'claude-sonnet-4-5': 0.1 })
  await admin.option('CreateCacheRatio', { 'claude-sonnet-4-5': 1.25 })
  await admin.option('ModelPrice', { 'dall-e-3': 0.04 })
  await admin.must('PUT', '/api/prices/', {
    changes: { 'free-model': { model_ratio: 0, free: true } },
  })
  const key = 'sk-upstream'
  const base_url = 'http://127.0.0.1:9'
  await admin.channel({
    type: 1,
    name: 'one',
    key,
    base_url,
    group: 'default,vip',
    models: 'gpt-4o-mini,gpt-4o',
  })
  await admin.channel({
    type: 1,
    name: 'pictures',
    key,
    base_url,
    group: 'default',
    models: 'dall-e-3,free-model',
  })
  await admin.channel({
    type: 14,
    name: 'two',
    key,
    base_url,
    group: 'default',
    models: 'claude-sonnet-4-5',
  })
  for (const [name, model, tags] of [
    ['OpenAI', 'gpt-4o', 'vision,tools'],
    ['Anthropic', 'claude-sonnet-4-5', 'reasoning,tools'],
  ] as const) {
    const { id } = await admin.must('POST', '/api/vendors/', { name })
    const description = `${model} of ${name}: for long texts, code, and questions that need a second thought.`
    const form = {
      model_name: model,
      name_rule: model === 'gpt-4o' ? 1 : 0,
      vendor_id: id,
      tags,
      description,
    }
    await admin.must('POST', '/api/models/', form)
  }
}

async function choose(
  page: Parameters<typeof findings>[0],
  filter: string,
  option: RegExp,
): Promise<void> {
  await page.locator(`[data-test=filter-${filter}]`).click()
  await page.locator('.n-base-select-option').filter({ hasText: option }).click()
}
