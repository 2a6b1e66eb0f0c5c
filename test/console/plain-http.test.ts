/** The console by plain HTTP from another machine, where browsers withhold what they call secure contexts only. */
import type { Page } from 'playwright-core'
import t from 'tap'
import { consolePages } from '../../config/built-in.js'
import { startGateway } from '../kit/gateway.js'
import { root } from '../kit/management.js'
import { chat, json, scriptedUpstream } from '../kit/upstream.js'
import { consoleOf, hearComplaints, launch, noBrowser } from './kit/browser.js'
import { giveIn } from './kit/guests.js'

t.test(
  'signing in, saving, the Playground and copying work by plain HTTP from elsewhere',
  { skip: noBrowser, timeout: 240_000 },
  async (t) => {
    hearComplaints(t)
    const gateway = await startGateway(t, { pages: consolePages })
    const browser = await launch('gateway.test')
    t.teardown(() => browser.close())
    const { page, context, expectError } = await consoleOf(t, browser, gateway, { signedIn: false })
    expectError(/status of 401|Cross-Origin-Opener-Policy/)
    const at = (path: string) => gateway.url.replace('127.0.0.1', 'gateway.test') + path
    const upstream = await scriptedUpstream(t)
    upstream.script(json(200, chat.whole('```\nlet answer = 42\n```', 5, 5)))
    const channel = { type: 1, key: 'k', base_url: upstream.url, group: 'default' }
    await gateway.admin.channel({ ...channel, name: 'one', models: 'gpt-4o-mini' })
    await gateway.admin.option('ModelRatio', { 'gpt-4o-mini': 1 })

    await page.goto(at('/login?redirect=%2Ftokens'))
    t.equal(await page.evaluate('isSecureContext'), false)
    t.equal(await page.evaluate('navigator.clipboard'), undefined)
    await giveIn(page, root.username)
    await page.waitForURL('**/tokens')

    const { id } = await gateway.admin.token({ name: 'Laptop' })
    await page.goto(at('/profile'))
    const name = page.locator('input[name=display_name]')
    await name.fill('Captain')
    const saved = page.waitForResponse((one) => one.request().method() === 'PUT')
    await name.press('Enter')
    t.ok((await saved).ok())
    t.match(await gateway.admin.must('GET', '/api/user/self'), { display_name: 'Captain' })
    t.ok(id > 0)

    await page.goto(at('/playground'))
    await page.locator('[data-test=model]').getByText('gpt-4o-mini').waitFor()
    await page.locator('[data-test=message] textarea').fill('Answer.')
    await page.locator('[data-test=message] textarea').press('Enter')
    await page.locator('[data-test=answer] [data-copy]').click()
    t.equal(await pasted(page), 'let answer = 42\n')

    await page.goto(at('/'))
    await page.getByRole('button', { name: 'Copy Base address' }).click()
    await page.getByText('Copied: Base address').waitFor()
    await page.goto(at('/playground'))
    t.equal(await pasted(page), at(''))
    await context.close()
  },
)

/** What the clipboard holds, as a person finds out. */
async function pasted(page: Page): Promise<string> {
  const box = page.locator('[data-test=message] textarea')
  await box.fill('')
  await box.press('Control+V')
  return box.inputValue()
}
