/** A channel whose stored key would go elsewhere: an admin types one for that place, root shows who they are. */
import type { Page } from 'playwright-core'
import t from 'tap'
import { root } from '../kit/management.js'
import { chat, json, scriptedUpstream } from '../kit/upstream.js'
import { findings } from './kit/axe.js'
import { consoleOf, noBrowser, openConsole, signIn } from './kit/browser.js'

const password = 'a battery of horses'

t.test('the stored key of a channel stays with its upstream', { skip: noBrowser }, async (t) => {
  const working = json(200, chat.whole('Hello.', 9, 2))
  const [one, other] = [await scriptedUpstream(t), await scriptedUpstream(t)]
  one.script(working)
  other.script(working)
  const console = await openConsole(t)
  const { gateway, page } = console
  const { admin } = gateway
  const made = { name: 'boss', username: 'boss', password, role: 10 }
  await admin.must('POST', '/api/user/', made)
  const channel = {
    ...{ name: 'one', type: 1, key: 'sk-of-root', base_url: one.url },
    ...{ models: 'gpt-4o', group: 'default' },
  }
  await admin.must('POST', '/api/channel/', { mode: 'single', channel })
  const { items } = await admin.must('GET', '/api/channel/')
  const { id } = items[0]
  const addressOf = async () => (await admin.must('GET', `/api/channel/${id}`)).base_url

  await t.test('[CHAN-6] an admin is requested the key anew, in both languages', async (t) => {
    for (const [locale, words, save] of [
      ['zh-CN', '请在此输入用于新地址的密钥', '保存'],
      ['en-US', 'Type the key for that place here', 'Save'],
    ] as const) {
      const theirs = await consoleOf(t, page.context().browser()!, gateway, {
        signedIn: false,
        locale,
      })
      theirs.expectError(/status of 400/)
      await signIn(theirs.context, gateway.url, { username: 'boss', password })
      await theirs.open(`/channels/${id}/settings`)
      await theirs.page.locator('[name=base_url]').fill(other.url)
      await theirs.page.getByRole('button', { name: save, exact: true }).click()
      await theirs.page.getByText(words).waitFor()
      const key = theirs.page.locator('[name=key]')
      t.equal(await key.getAttribute('aria-invalid'), 'true', 'at its field')
      t.equal(await theirs.page.locator('[name=base_url]').inputValue(), other.url)
      t.equal(await addressOf(), one.url, 'nothing was written')
      await theirs.picture(`channel-key-anew-${locale}`)
      t.strictSame(await findings(theirs.page), [])
      if (locale === 'zh-CN') continue
      await key.fill('sk-of-boss')
      await theirs.page.getByRole('button', { name: save, exact: true }).click()
      await theirs.page.getByText('Saved.').waitFor()
      t.equal(await addressOf(), other.url)
    }
  })

  await t.test('[CHAN-6] root keeps the key by showing who they are', async (t) => {
    console.expectError(/status of 403/)
    await console.open(`/channels/${id}/settings`)
    await page.locator('[name=base_url]').fill(one.url)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await byPassword(page)
    await page.getByText('Saved.').waitFor()
    t.equal(await addressOf(), one.url)
  })
})

async function byPassword(page: Page): Promise<void> {
  const dialog = page.getByTestId('step-up')
  await dialog.locator('input[type=password]').fill(root.password)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await dialog.waitFor({ state: 'detached' })
}
