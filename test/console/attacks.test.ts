/**
 * A console full of hostile text: whatever somebody put into a name, a notice, a log or an answer of a model is shown as
 * text, runs nothing, asks no other host for anything and breaks no page.
 */
import t from 'tap'
import { chat, json, scriptedUpstream } from '../kit/upstream.js'
import { type Console, consoleOf, noBrowser, openConsole, signIn } from './kit/browser.js'
import { harmDone, mean, meanMarkdown, plant } from './kit/hostile.js'
import { menuOf } from './kit/look.js'
import { atRest } from './kit/rest.js'

t.test('hostile text', { skip: noBrowser, timeout: 360_000 }, async (t) => {
  const testGateway = await openConsole(t)
  const { gateway, context } = testGateway
  const upstream = await scriptedUpstream(t)
  const planted = await plant(gateway, upstream.url)
  upstream.script(json(200, chat.whole(meanMarkdown, 100, 100)))
  await (await gateway.chat({ model: 'plain', messages: [{ role: 'user', content: mean }] })).text()
  upstream.script(json(400, { error: { message: mean, type: mean, code: mean } }))
  await (await gateway.chat({ model: 'plain', messages: [{ role: 'user', content: mean }] })).text()
  await gateway.logs()

  const ada = await consoleOf(t, context.browser()!, gateway, { signedIn: false })
  await signIn(ada.context, gateway.url, planted.ada)
  const guest = await consoleOf(t, context.browser()!, gateway, { signedIn: false })
  guest.expectError(/status of 401/)
  // The browser states of an element it read, and that never became part of the page, that it would not follow it.
  for (const one of [testGateway, ada, guest]) one.expectError(/base-uri 'none'/)
  const faults = [testGateway, ada, guest].map((one) => watched(one))
  const texts = ['/', '/notice', '/about', '/user-agreement', '/privacy-policy', '/models']

  await t.test('is shown to an operator as text', async (t) => {
    for (const path of [...(await menuOf(testGateway)), ...texts.slice(0, -1), ...planted.pages]) {
      t.strictSame(await harm(testGateway, path), [], path)
    }
  })

  await t.test('is shown to users and guests as text', async (t) => {
    for (const path of ['/dashboard', '/tokens', '/logs', '/playground', '/profile']) {
      t.strictSame(await harm(ada, path), [], path)
    }
    for (const path of ['/', '/models', '/login']) {
      t.strictSame(await harm(guest, path), [], path)
    }
  })

  await t.test('is shown as text where a model answered it', async (t) => {
    const { page, open, picture } = testGateway
    upstream.script(json(200, chat.whole(meanMarkdown, 100, 100)))
    const settings = JSON.stringify({ columns: [{ id: '1', model: 'plain' }] })
    await open('/about')
    await page.evaluate(`localStorage['waybill.playground.settings.1'] = '${settings}'`)
    await open('/playground')
    await page.locator('[data-test=model]').getByText('plain').waitFor()
    const message = page.locator('[data-test=message] textarea')
    await message.fill(meanMarkdown)
    await message.press('Enter')
    const answer = page.getByTestId('answer').locator('[data-test=text]')
    await answer.getByText('graph TD').waitFor()
    await picture('hostile-answer')
    t.strictSame(await page.evaluate(harmDone), [])
    t.equal(await answer.locator('img').count(), 0, 'no picture is fetched, none may hold a script')
    const links = answer.locator('a[href]')
    const hrefs = await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')))
    t.ok(hrefs.length > 0)
    t.ok(hrefs.every((href) => /^(?:https:)?\/\/evil\.example\//.test(href ?? '')))
    for (const link of await links.all()) {
      t.match(await link.getAttribute('rel'), /noopener noreferrer/)
    }
  })

  await t.test('reached nobody', (t) => {
    t.strictSame(faults.flat(), [])
    t.end()
  })
})

/** Opens a page and waits until it has what it requested. */
async function harm({ open, page }: Console, path: string): Promise<unknown> {
  await open(path)
  await atRest(page)
  const rows = page.locator('.expand-button[aria-expanded=false]')
  if ((await rows.count()) > 0) await rows.first().click()
  return page.evaluate(harmDone)
}

/** What no page may ever do: ask somebody else, or ask the person. */
function watched({ page, gateway }: Console): string[] {
  const faults: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(gateway.url) && !/^(?:data|blob):/.test(url)) faults.push(url)
  })
  page.on('dialog', (dialog) => {
    faults.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  return faults
}
