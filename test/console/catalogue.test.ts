/** The catalogue of models: what each reader sees, a page for every model, and thousands of them. */
import t from 'tap'
import { findings } from './kit/axe.js'
import { consoleOf, noBrowser, openConsole, signIn } from './kit/browser.js'
import { phone, tooWide } from './kit/look.js'

const odd = ['org/team/model:free', 'a b%20c?d#e', '<b>bold</b>', '模型 1'] as const
const base = { type: 1, key: 'sk-up', base_url: 'http://127.0.0.1:9' }
const password = 'a long password here'

t.test('the catalogue of models', { skip: noBrowser, timeout: 300_000 }, async (t) => {
  const opened = await openConsole(t)
  const { gateway, page, context, open, picture, expectError } = opened
  const { admin } = gateway
  const priced = (names: readonly string[], model_ratio: number) =>
    Object.fromEntries(names.map((name) => [name, { model_ratio, completion_ratio: 4 }]))
  await admin.option('GroupRatio', { default: 1, vip: 2 })
  await admin.option('UserUsableGroups', { default: 'Everybody', vip: 'The few' })
  await admin.option('GroupGroupRatio', { vip: { vip: 0.3 } })
  const secret = 'secret channel name'
  const models = ['gpt-4o', 'claude-opus-4-5', 'text-embedding-3-small', ...odd].join(',')
  await admin.channel({ ...base, name: secret, group: 'default,vip', models })
  await admin.channel({ ...base, name: 'for few', group: 'vip', models: 'only-vip,hidden-one' })
  const names = [...odd, 'only-vip', 'hidden-one']
  await admin.must('PUT', '/api/prices/', { changes: priced(names, 0.7) })
  const description = '<img src=x onerror="document.title=\'hacked\'"><b>No markup</b>'
  await admin.must('POST', '/api/models/', { model_name: 'gpt-4o', description, tags: 'fast' })
  await admin.must('POST', '/api/models/', { model_name: 'hidden-one', status: 0 })

  await t.test('models are found by what they can do, and the address keeps it', async (t) => {
    await open('/pricing?q=gpt')
    await page.waitForURL('**/models?q=gpt')
    const row = (name: string) => page.getByRole('row').filter({ hasText: name })
    await row('gpt-4o').getByText('OpenAI').waitFor()
    t.match(await row('gpt-4o').innerText(), /128K/)
    await open('/models')
    await row('claude-opus-4-5').waitFor()
    t.equal(await row('hidden-one').count(), 0, 'what an admin hides is hidden')
    await picture('catalogue-light')
    t.strictSame(await findings(page), [])
    await choose('can', 'Reasoning')
    await page.getByText('1 of 8 models.').waitFor()
    t.match(page.url(), /can=reasoning/)
    await page.reload()
    await page.getByText('1 of 8 models.').waitFor()
    await open('/models?kind=embedding')
    await page.getByText('1 of 8 models.').waitFor()
    await open('/models?context=200000')
    await row('claude-opus-4-5').waitFor()
    await page.getByText('1 of 8 models.').waitFor()
    await open('/models?sort=cheap')
    await page.locator('tbody tr').first().getByText('text-embedding-3-small').waitFor()
    await open('/models?view=cards')
    await page.getByRole('listitem').getByText('128K context').waitFor()
    await picture('catalogue-cards')
    t.strictSame(await findings(page), [])

    async function choose(name: string, option: string): Promise<void> {
      await page.getByTestId(`filter-${name}`).click()
      await page.locator('.n-base-select-option:visible').getByText(option).click()
    }
  })

  await t.test('a model has an address, whatever its name', async (t) => {
    for (const name of odd) {
      await open('/models')
      await page.getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { name, exact: true, level: 1 }).waitFor()
      await page.reload()
      await page.getByRole('heading', { name, exact: true, level: 1 }).waitFor()
      t.equal(await page.locator('h1 b').count(), 0)
    }
    await open('/models/org/team/model:free')
    await page.getByRole('heading', { name: 'org/team/model:free', level: 1 }).waitFor()
    await open('/models/gpt-4o')
    await page.getByText('<b>No markup</b>').waitFor()
    t.notMatch(await page.title(), /hacked/)
    await page.getByTestId('can-tools').getByText('Yes').waitFor()
    await page.getByTestId('can-reasoning').getByText('No', { exact: true }).waitFor()
    await page.getByText('128,000 tokens').waitFor()
    t.match(await page.getByRole('link', { name: 'Source' }).getAttribute('href'), /^https:/)
    await page.getByText('Nobody called it in the last 24 hours.').waitFor()
    const code = page.locator('pre:visible')
    await code.getByText(`${gateway.url}/v1/chat/completions`).waitFor()
    await page.getByRole('tab', { name: 'TypeScript' }).click()
    await code.getByText("import OpenAI from 'openai'").waitFor()
    await picture('model-light')
    t.strictSame(await findings(page), [])
    await page.getByTestId('try').click()
    await page.waitForURL('**/playground')
    await page.getByText('gpt-4o').first().waitFor()
    await open('/models/only-vip-not-there')
    expectError(/404/)
    await page.getByText('There is no page at this address').waitFor()
  })

  await t.test(
    'prices are those of the reader, and a stranger sees no more than a user',
    async (t) => {
      const few = { username: 'few', password }
      const { id } = await admin.must('POST', '/api/user/', few)
      await admin.must('PUT', '/api/user/', { id, group: 'vip' })
      const own = await consoleOf(t, context.browser()!, gateway, { signedIn: false })
      own.expectError(/40[14]/)
      await signIn(own.context, gateway.url, few)
      await own.open('/models')
      const row = (name: string) => own.page.getByRole('row').filter({ hasText: name })
      // $2.50 and $10 times 0.3, which binary fractions miss; 1.4 times 0.3 as well.
      t.match(await row('gpt-4o').innerText(), /\$0\.75\s+\$3\.00/)
      t.match(await row('only-vip').innerText(), /\$0\.42\s+\$1\.68/)
      await own.page.getByText('Prices of your group vip').waitFor()
      await own.open('/models/only-vip')
      await own.page.getByRole('row', { name: /vip.*×0\.3/ }).waitFor()
      t.notMatch(await own.page.content(), new RegExp(`${secret}|for few`))
      await own.context.close()

      const guest = await consoleOf(t, context.browser()!, gateway, { signedIn: false })
      guest.expectError(/40[14]/)
      await admin.option('UserUsableGroups', { default: 'Everybody' })
      await guest.open('/models')
      await guest.page.getByRole('row').filter({ hasText: 'gpt-4o' }).waitFor()
      t.equal(await guest.page.getByText('only-vip').count(), 0)
      t.equal(await guest.page.getByTestId('line-tabs').count(), 0, 'in the frame of public pages')
      await guest.open('/models/only-vip')
      await guest.page.getByText('There is no page at this address').waitFor()
      await guest.context.close()
    },
  )

  await t.test('it fits a phone, in the dark and in Chinese', async (t) => {
    const settings = { theme: 'dark', locale: 'zh-CN', viewport: phone } as const
    const dark = await consoleOf(t, context.browser()!, gateway, settings)
    await dark.open('/models')
    await dark.page.getByText('claude-opus-4-5').waitFor()
    await dark.picture('catalogue-phone')
    t.equal(await tooWide(dark.page), 0)
    t.strictSame(await findings(dark.page), [])
    await dark.open('/models/claude-opus-4-5')
    await dark.page.getByText('200,000 token').waitFor()
    await dark.picture('model-phone')
    t.equal(await tooWide(dark.page), 0)
    t.strictSame(await findings(dark.page), [])
  })

  await t.test('an admin sees what the table says, and goes before it', async (t) => {
    await open('/model-entries')
    await page.getByRole('button', { name: 'Edit gpt-4o' }).click()
    const context = page.locator('input[name=context_length]')
    t.equal(await context.getAttribute('placeholder'), 'Table: 128,000')
    await context.fill('64000')
    await picture('model-facts-form')
    // Labels that are to be scrolled to count as hidden.
    await page.setViewportSize({ width: 1280, height: 2_000 })
    t.strictSame(await findings(page), [])
    await page.getByTestId('save').click()
    await page.getByTestId('model-form').waitFor({ state: 'detached' })
    await open('/models/gpt-4o')
    await page.getByText('64,000 tokens').waitFor()
    await page.getByText('set by the operator').waitFor()
  })

  await t.test('two thousand models open without delay', async (t) => {
    const many = Array.from({ length: 2_000 }, (_, at) => `vendor${at % 9}/model-${at}`)
    await admin.must('PUT', '/api/prices/', { changes: priced(many, 1) })
    const lists = Array.from({ length: 4 }, (_, at) => many.slice(at * 500, at * 500 + 500))
    for (const list of lists) {
      await admin.channel({ ...base, name: 'many', group: 'default', models: list.join(',') })
    }
    await page.goto(`${gateway.url}/models`)
    await page.getByText('of 2008 models', { exact: false }).waitFor()
    t.ok((await page.locator('tbody tr').count()) <= 50, 'a page of them is drawn')
    const ms = await page.evaluate(`new Promise((resolve) => {
      const input = document.querySelector('input[name=q]')
      const begun = performance.now()
      const look = () => /^1 of 2008/.test(document.querySelector('[role=status].figures')?.textContent.trim() ?? '')
        ? resolve(performance.now() - begun) : requestAnimationFrame(look)
      input.value = 'model-1999'
      input.dispatchEvent(new Event('input', { bubbles: true }))
      look()
    })`)
    t.comment(`searched within ${Math.round(Number(ms))} ms`)
    t.ok(Number(ms) < 2_000)
  })
})
