/** What users see of sign-ins and payment gateways from outside: their icons, and their titles in the language of the page. */
import t from 'tap'
import { putFiles, shelf } from '../kernel/registry/outside-kit.js'
import type { Part } from '../kernel/registry/plugins.js'
import { findings } from './kit/axe.js'
import { consoleOf, noBrowser, openConsole } from './kit/browser.js'
import { guest } from './kit/guests.js'
import { inTheme } from './kit/look.js'

const drawn = (colour: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="${colour}"/></svg>`

const signIn = `export default () => ({
  ready: () => true,
  authorize: ({ state }) => 'https://star.example/?state=' + state,
  identify: async () => ({ subject: 'u_1' }),
})`

const payment = `export default () => ({
  offer: () => ({
    currency: 'CNY', unitPrice: '7', amountMin: '1', isTest: false,
    methods: [{ id: 'card', title: 'Star Card' }, { id: 'other', title: 'Any other' }],
  }),
  checkout: async () => ({ kind: 'offline', instructions: 'Pay.' }),
})`

const signInManifest: Part = {
  ...{ title: 'Star Account', icon: './icon.svg', oauth: { style: 'redirect', switch: 'enabled' } },
  settings: [{ name: 'enabled', type: 'boolean', default: true, title: 'On' }],
  translations: { zh: { 'Star Account': '星辰账号', On: '启用' } },
}
const paymentManifest: Part = {
  ...{ title: 'Star Pay', icon: './icon.svg', payment: { callback: [] } },
  translations: {
    zh: { 'Star Pay': '星辰支付' },
    'zh-CN': { 'Star Pay': '星辰支付（大陆）', 'Star Card': '星辰卡' },
  },
}

t.test('users meet plugins from outside in their own language', { skip: noBrowser }, async (t) => {
  const outside = shelf(t)
  outside.put({ 'package.json': { type: 'module' } })
  outside.plugin('star', 'oauth.star', signIn, signInManifest)
  outside.plugin('pay', 'payment.star', payment, paymentManifest)
  outside.plugin('plain', 'payment.plain', payment, { title: 'Plain', payment: { callback: [] } })
  putFiles(outside.folder, { 'star/icon.svg': drawn('#c2255c'), 'pay/icon.svg': drawn('#2b8a3e') })
  const plugins = { names: ['./star', './pay', './plain'], from: [outside.folder] }
  const english = await openConsole(t, { environment: { plugins } })
  const { gateway, context } = english
  const browser = context.browser()!
  const chinese = await consoleOf(t, browser, gateway, { locale: 'zh-CN' })

  await t.test('anybody sees the icon and the title of a sign-in, and nothing else', async (t) => {
    const providers = await gateway.admin.must('GET', '/api/oauth/providers')
    t.strictSame(providers, [
      {
        ...{ provider: 'star', title: 'Star Account', style: 'redirect', facts: {} },
        icon: `data:image/svg+xml;base64,${Buffer.from(drawn('#c2255c')).toString('base64')}`,
        translations: { zh: { 'Star Account': '星辰账号' } },
      },
    ])
    const visitor = await guest(t, english, { locale: 'zh-CN' })
    visitor.expectError('/api/user/self')
    await visitor.open('/login')
    const button = visitor.page.getByRole('button', { name: '星辰账号' })
    await button.waitFor()
    await button.locator('img[data-test=plugin-icon]').waitFor()
    await visitor.picture('login-outside-zh')
    t.strictSame(await findings(visitor.page), [])
  })

  await t.test('an account names the sign-in in the language of the page', async () => {
    for (const [own, title] of [
      [english, 'Star Account'],
      [chinese, '星辰账号'],
    ] as const) {
      await own.open('/profile')
      await own.page.getByTestId('bindings').getByText(title).waitFor()
      await own.page.getByTestId('bindings').getByTestId('plugin-icon').waitFor()
    }
    await chinese.picture('bindings-outside-zh')
  })

  await t.test(
    'so do the ways to pay, with the methods they have, in words of a region too',
    async (t) => {
      await english.open('/wallet')
      await english.page.getByTestId('gateway-star').getByText('Star Pay').waitFor()
      await english.page.getByTestId('gateway-star').click()
      await english.page.getByText('Star Card').waitFor()
      await chinese.open('/wallet')
      const choice = chinese.page.getByTestId('gateway-star')
      await choice.getByText('星辰支付').waitFor()
      await choice.getByTestId('plugin-icon').waitFor()
      await choice.click()
      await chinese.page.getByText('星辰卡').waitFor()
      await chinese.page.getByText('Any other').waitFor()
      await chinese.picture('wallet-outside-zh')
      t.strictSame(await findings(chinese.page), [])
    },
  )

  await t.test('and admins the gateways and plugins', async (t) => {
    await chinese.open('/orders/gateways')
    const entry = chinese.page.getByTestId('gateway-star')
    await entry.getByText('星辰支付').waitFor()
    await entry.getByTestId('plugin-icon').waitFor()
    await chinese.open('/plugins?plugin=payment.star')
    await chinese.page
      .getByRole('dialog', { name: '星辰支付' })
      .getByTestId('plugin-icon')
      .waitFor()
    await inTheme(chinese.page, 'dark')
    await chinese.picture('plugin-icon-zh')
    t.strictSame(await findings(chinese.page), [])
  })
})
