/** What the gateway is made of, looked through by an administrator in a browser. */
import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { acmeManifest, acmeProvider, shelf } from '../kernel/registry/outside-kit.js'
import { findings } from './kit/axe.js'
import { consoleOf, noBrowser, openConsole } from './kit/browser.js'
import { inTheme, phone, tooWide } from './kit/look.js'

t.test('an administrator looks through the plugins', { skip: noBrowser }, async (t) => {
  const { gateway, page, context, open, picture } = await openConsole(t)
  const { plugins, line } = await gateway.admin.must('GET', '/api/plugins')

  await t.test('the line is drawn in its order, and reported in words', async (t) => {
    await open('/plugins')
    const drawn = page.locator('svg [data-stage]')
    await drawn.first().waitFor()
    const stages = await drawn.evaluateAll((found) =>
      found.map((stage) => stage.getAttribute('data-stage')),
    )
    t.strictSame(
      stages,
      line.map(({ stage }: { stage: string }) => stage),
    )
    await page.getByTestId('in-words').click()
    const words = await page.getByTestId('line-words').locator('li').allInnerTexts()
    const order = ['endpoint', ...stages.slice(0, -1), 'deliver', 'settle']
    t.strictSame(
      words.map((text) => order.find((stage) => text.startsWith(stage!))),
      order,
    )
    await picture('plugins-words')
    await page.getByTestId('in-words').click()
    await picture('plugins-light')
  })

  await t.test('a stage leads to its plugin, and that to what it needs', async (t) => {
    await page.locator('svg [data-stage=settle]').focus()
    await page.keyboard.press('Enter')
    const drawer = page.getByRole('dialog')
    await drawer.getByText('stage.settle').waitFor()
    t.match(page.url(), /plugin=stage\.settle/)
    await picture('plugin-stage')
    t.strictSame(await findings(page), [])
    await drawer.getByRole('link', { name: 'throttle' }).click()
    await drawer.getByText('service.throttle').first().waitFor()
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
    t.notMatch(page.url(), /plugin=/)
    await page.locator('svg [data-stage=settle]:focus').waitFor()
  })

  await t.test('the list is searched and filtered, and states what each brings', async (t) => {
    await page.getByTestId('filter-q').locator('input').fill('/api/token')
    await row(page, 'management.tokens').waitFor()
    await row(page, 'management.users').waitFor({ state: 'detached' })
    await page.getByTestId('filter-q').locator('input').fill('')
    await choose(page, 'filter-kind', /^Provider/)
    await row(page, 'provider.anthropic').waitFor()
    const providers = plugins.filter(
      ({ manifest }: { manifest: { kind: string } }) => manifest.kind === 'provider',
    )
    await page.getByText(`${providers.length} in all`).waitFor()
    t.match(page.url(), /kind=provider/)
    await page.getByRole('link', { name: 'AWS Bedrock' }).click()
    const drawer = page.getByTestId('plugin')
    await drawer.getByText('the address of the channel').waitFor()
    await picture('plugin-provider')
    t.strictSame(await findings(page), [])
    t.match(page.url(), /kind=provider.*plugin=/)
  })

  await t.test('the list has saved views, and columns one chooses', async (t) => {
    await open('/plugins?kind=provider')
    await page.getByTestId('filter-q').locator('input').fill('bedrock')
    await page.getByRole('link', { name: 'AWS Bedrock' }).click()
    await page.waitForURL(/q=bedrock/)
    t.match(page.url(), /plugin=provider\.bedrock/, 'a filter that counts late closes nothing')
    await page.getByTestId('plugin').waitFor()
    await page.keyboard.press('Escape')
    await page.getByTestId('plugin').waitFor({ state: 'detached' })
    await page.getByTestId('filter-q').locator('input').fill('')
    await page.waitForURL((url) => !url.searchParams.has('q'))
    await page.getByTestId('columns').click()
    await page.getByRole('checkbox', { name: 'Version' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('columnheader', { name: 'Version' }).waitFor({ state: 'detached' })
    await page.getByTestId('views').click()
    await page.getByRole('menu').getByText('Save as a new view …').click()
    await page.locator('input[name=view]').fill('Providers')
    await page.keyboard.press('Enter')
    await page.getByTestId('views').getByText('View: Providers').waitFor()
    await picture('plugins-views')
    await page.getByTestId('columns').click()
    await page.getByTestId('reset-columns').click()
    await page.getByRole('button', { name: 'Done' }).click()
    await open('/plugins')
    await page.locator('tbody tr').nth(19).waitFor()
    t.equal(await page.getByRole('columnheader', { name: 'Version' }).count(), 1)
    t.equal(await page.locator('tbody').getByText('Built in').count(), 20)
    await picture('plugins-columns')
    await page.getByTestId('views').click()
    await page.getByRole('menu').getByText('Providers', { exact: true }).click()
    await row(page, 'provider.anthropic').waitFor()
    await page.getByRole('columnheader', { name: 'Version' }).waitFor({ state: 'detached' })
    t.match(page.url(), /kind=provider/)
    await page.locator('.n-pagination-item', { hasText: /^2$/ }).click()
    await page.waitForURL(/page=2/)
    t.strictSame(await findings(page), [])
    await page.getByTestId('columns').click()
    await page.getByTestId('reset-columns').click()
    await page.getByRole('button', { name: 'Done' }).click()
  })

  await t.test('options of a plugin lead to their place', async (t) => {
    await open('/plugins?plugin=management.status')
    const drawer = page.getByTestId('plugin')
    const option = drawer.getByRole('link', { name: 'SystemName' })
    t.equal(await option.getAttribute('href'), '/options#SystemName')
    await drawer.getByText('/api/status/test').waitFor()
    await picture('plugin-options')
    t.strictSame(await findings(page), [])
  })

  await t.test('what failed stands first with its reason; guards are marked', async (t) => {
    await page.route('**/api/plugins', async (request) => {
      const response = await request.fetch()
      const body = await response.json()
      for (const plugin of body.data.plugins) {
        if (plugin.manifest.id !== 'provider.zhipu') continue
        const warnings = ['The manifest has a field "hint", which has no effect.']
        const at = Date.UTC(2026, 0, 2)
        const lastFault = { verb: 'address', message: 'no address', at }
        plugin.health = { calls: 20, faults: 12, slowCalls: 0, lastFault, setAsideUntil: at }
        Object.assign(plugin, {
          state: 'failed',
          reason: 'create() returned no provider',
          warnings,
        })
      }
      body.data.line[0].before = ['opening-hours']
      body.data.line[6].after = ['answer-archive', 'word-filter']
      await request.fulfill({ response, json: body })
    })
    await open('/plugins')
    await page.getByTestId('failed').getByText('One plugin failed.').waitFor()
    t.match(await page.locator('tbody tr').first().innerText(), /create\(\) returned no provider/)
    await page
      .getByRole('link', { name: 'Guards after upstream: answer-archive, word-filter' })
      .waitFor()
    await inTheme(page, 'dark')
    await picture('plugins-failed-dark')
    t.strictSame(await findings(page), [])
    await page.getByTestId('failed').getByRole('button').click()
    await page.getByText('1 in all').waitFor()
    await page.getByRole('link', { name: 'Zhipu' }).click()
    await page.getByTestId('plugin').getByText('Why it failed').waitFor()
    await page.getByTestId('warnings').getByText('has a field "hint"').waitFor()
    await page.getByTestId('aside').getByText('is paused until').waitFor()
    await page.getByTestId('health').getByText('no address').waitFor()
    await picture('plugin-failed-dark')
    t.strictSame(await findings(page), [])
  })

  await t.test('on a phone the line is reported in words', async (t) => {
    const small = await consoleOf(t, context.browser()!, gateway, { viewport: phone })
    await small.open('/plugins')
    await small.page.getByTestId('line-words').waitFor()
    t.equal(await small.page.locator('svg [data-stage]').first().isVisible(), false)
    t.equal(await tooWide(small.page), 0)
    await small.picture('plugins-phone')
    await small.open('/plugins?plugin=provider.bedrock')
    await small.page.getByTestId('plugin').waitFor()
    await small.picture('plugin-phone')
  })
})

t.test(
  'root sees what a plugin from outside may do, and switches it',
  { skip: noBrowser },
  async (t) => {
    const outside = shelf(t)
    outside.put({
      'acme/package.json': {
        ...{ name: 'waybill-plugin-acme', version: '2.1.0', license: 'MIT' },
        waybill: { plugins: ['./provider'] },
      },
      'acme/provider/mark.js': "export const mark = 'first'",
    })
    const channelSettings = [{ name: 'pin', type: 'secret', title: 'PIN' }]
    const translations = { zh: { PIN: '识别码', 'Acme models': '阿克米模型' } }
    const more = { ...acmeManifest, title: 'Acme models', channelSettings, translations }
    outside.plugin('acme/provider', 'provider.acme', acmeProvider('one'), more)
    const plugins = { names: ['./acme', './gone'], from: [outside.folder] }
    const { gateway, page, context, open, picture, expectError } = await openConsole(t, {
      environment: { plugins },
    })
    const stateOf = async () => {
      const { plugins } = await gateway.admin.must('GET', '/api/plugins')
      return plugins.find(
        (one: { manifest: { id: string } }) => one.manifest.id === 'provider.acme',
      ).state
    }

    await open('/plugins?q=acme&plugin=provider.acme')
    await page.getByTestId('problems').getByText('./gone: there is no folder').waitFor()
    const card = page.getByTestId('outside')
    await card.getByText('waybill-plugin-acme 2.1.0').waitFor()
    await card.getByText('MIT').waitFor()
    await row(page, 'provider.acme').getByText('waybill-plugin-acme').waitFor()
    const may = page.getByTestId('permissions')
    await may.getByText('call the address of the channel').waitFor()
    await may.getByText('read the secret “PIN” of its own').waitFor()
    await picture('plugin-outside')
    t.strictSame(await findings(page), [])

    await page.getByTestId('switch-off').click()
    await page.getByRole('dialog', { name: 'Switch off Acme models?' }).waitFor()
    await picture('plugin-switch-off')
    await page.getByRole('button', { name: 'Switch off' }).last().click()
    await page.getByTestId('switch-on').waitFor()
    t.equal(await stateOf(), 'off')
    await page.getByTestId('plugin').getByText('Switched off').waitFor()
    await page.getByTestId('switch-on').click()
    const asked = page.getByRole('dialog', { name: 'Switch on Acme models?' })
    await asked.getByText('call the address of the channel').waitFor()
    await asked.getByRole('button', { name: 'Switch on' }).click()
    await page.getByTestId('switch-off').waitFor()
    t.equal(await stateOf(), 'ready')

    const more2 = { ...more, version: '2.2.0' }
    outside.plugin('acme/provider', 'provider.acme', acmeProvider('two'), more2)
    await page.getByTestId('reload').click()
    await page.getByTestId('plugin').getByText('2.2.0').waitFor()
    expectError('/api/plugins/reload')
    outside.put({ 'acme/provider/index.js': 'no code' })
    await page.getByTestId('reload').click()
    await page.getByText('Unexpected identifier').first().waitFor()
    t.equal(await stateOf(), 'ready')

    const chinese = await consoleOf(t, context.browser()!, gateway, { locale: 'zh-CN' })
    await chinese.open('/plugins?plugin=provider.acme')
    await chinese.page.getByTestId('plugin').getByText('识别码').first().waitFor()
    await chinese.page.getByRole('dialog', { name: '阿克米模型' }).waitFor()
    await chinese.picture('plugin-outside-zh')
  },
)

function row(page: Page, text: string): Locator {
  return page.locator('tbody tr').filter({ hasText: text })
}

async function choose(page: Page, select: string, option: RegExp): Promise<void> {
  await page.getByTestId(select).click()
  await page.locator('.n-base-select-option').filter({ hasText: option }).click()
}
