/** A conversation in the Playground, in a real browser, on a real gateway with a scripted upstream. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { chat, events, json } from '../kit/upstream.js'
import { findings } from './kit/axe.js'
import { noBrowser } from './kit/browser.js'
import { delta, gate, models, openPlayground } from './kit/playground.js'

const answer = `A **binary search** halves the range until the value is found:

\`\`\`python
def find(items, wanted):
    low, high = 0, len(items) - 1
    while low <= high:
        middle = (low + high) // 2  # never overflows here
        if items[middle] == wanted:
            return middle
\`\`\`

| Search | Steps for 1,000,000 items |
|---|---|
| linear | 1,000,000 |
| binary | 20 |
`

t.test(
  'a conversation from the first word to the log and the balance',
  { skip: noBrowser },
  async (t) => {
    const { page, gateway, upstream, say, answer: at, settled, picture } = await openPlayground(t)
    await picture('playground-empty-light')
    t.strictSame(await findings(page), [])

    const before = await gateway.balance()
    const held = gate()
    upstream.script(
      events(
        ...[chat.role(), delta({ reasoning_content: 'The list is sorted, so I can halve it.' })],
        ...answer
          .split(/(?<= )/)
          .slice(0, 5)
          .map(chat.delta),
        held.promise,
        ...answer
          .split(/(?<= )/)
          .slice(5)
          .map(chat.delta),
        ...[chat.stop(), chat.usage(12, 80), chat.done],
      ),
    )
    await say('How does a binary search work?')
    await t.test('text is shown while the rest is still to come', async () => {
      await at(0).getByText('binary search').waitFor()
      t.equal(await at(0).getAttribute('data-state'), 'running')
      await picture('playground-streaming-light')
    })
    held.open()
    await settled()
    t.equal(await at(0).getAttribute('data-state'), 'done')
    await at(0).locator('code .hljs-keyword').first().waitFor()
    await at(0).getByText('12 in · 80 out').waitFor()
    t.match(await at(0).locator('[data-test=metrics]').innerText(), /first token .*total /s)
    await at(0)
      .getByRole('button', { name: /Reasoned for/ })
      .click()
    await at(0).getByText('I can halve it').waitFor()
    t.strictSame(await findings(page), [])
    t.equal(before - (await gateway.balance()), 12n + 4n * 80n)
    t.match(await gateway.logs(), [{ model_name: models[0], is_stream: true, token_name: '' }])

    await t.test(
      '[UI-1] a switched-off stream is requested whole, and what was stated before goes along',
      async (t) => {
        upstream.script(json(200, chat.whole('Twenty.', 40, 2)))
        await page.locator('[data-test=stream]').click()
        await page.locator('textarea[name=system]').fill('Answer in one word.')
        await say('How many steps for a million?')
        await at(1).getByText('Twenty.').waitFor()
        await settled()
        const sent = upstream.requests.at(-1)!.json!
        t.notOk(sent.stream)
        t.match(sent.messages, [
          { role: 'system', content: 'Answer in one word.' },
          { role: 'user', content: 'How does a binary search work?' },
          { role: 'assistant', content: answer },
          { role: 'user', content: 'How many steps for a million?' },
        ])
        await page.locator('[data-test=stream]').click()
        await picture('playground-filled-light')
      },
    )

    await t.test('what was stated comes back after a reload, and can be taken along', async (t) => {
      await page.reload()
      await at(1).getByText('Twenty.').waitFor()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.locator('[data-test=export]').click(),
      ])
      const file = JSON.parse(await readFile(await download.path(), 'utf8'))
      t.match(file, {
        turns: [{ text: 'How does a binary search work?' }, { answers: [{ text: 'Twenty.' }] }],
      })
    })

    await t.test(
      'trying again asks once more, changing a message goes on from there',
      async (t) => {
        upstream.script(events(chat.delta('About twenty.'), chat.stop(), chat.done))
        await at(1).locator('[data-test=retry]').click()
        await at(1).getByText('About twenty.').waitFor()
        await settled()
        const question = page.locator('[data-test=question]').first()
        await question.getByRole('button', { name: 'Change and send again' }).click()
        await question.locator('textarea').fill('How does a hash table work?')
        await picture('playground-edit-light')
        await question.getByRole('button', { name: 'Send' }).click()
        await at(0).getByText('About twenty.').waitFor()
        await settled()
        t.equal(await page.locator('[data-test=turn]').count(), 1)
        t.match(upstream.requests.at(-1)!.json!.messages, [
          { role: 'system' },
          { role: 'user', content: 'How does a hash table work?' },
        ])
      },
    )

    await t.test('each answer shows what it cost', async (t) => {
      const [row] = await gateway.logs()
      const metrics = await at(0).locator('[data-test=metrics]').innerText()
      t.match(metrics, `cost $${(row!.quota / 500_000).toFixed(6).replace(/0+$/, '')}`)
    })

    await t.test(
      'a new conversation leaves the old one where it can be opened again',
      async (t) => {
        const turns = page.locator('[data-test=turn]')
        await page.locator('[data-test=new]').click()
        await turns.waitFor({ state: 'detached' })
        upstream.script(events(chat.delta('Green.'), chat.stop(), chat.done))
        await say('What colour is grass?')
        await at(0).getByText('Green.').waitFor()
        await settled()
        await page.locator('[data-test=list]').click()
        const list = page.locator('[data-test=conversations]')
        await list.getByText('How does a hash table work?').waitFor()
        await picture('playground-conversations-light')
        t.strictSame(await findings(page), [])
        await list.getByRole('button', { name: 'Rename How does a hash table work?' }).click()
        await list.getByRole('textbox').fill('Tables')
        await list.getByRole('textbox').press('Enter')
        await list.getByRole('button', { name: /^Tables/ }).click()
        await at(0).getByText('About twenty.').waitFor()
        await page.reload()
        await at(0).getByText('About twenty.').waitFor()
        await page.locator('[data-test=list]').click()
        await list.getByRole('button', { name: 'Delete Tables' }).click()
        await page.getByRole('button', { name: 'Delete', exact: true }).click()
        await turns.waitFor({ state: 'detached' })
        t.match(await list.innerText(), /What colour is grass\?/)
        t.notMatch(await list.innerText(), /Tables/)
      },
    )

    await t.test('a link carries the settings, and is asked about before it is used', async (t) => {
      await page.getByRole('button', { name: 'Close' }).click()
      await page.locator('.n-drawer').waitFor({ state: 'detached' })
      await page.locator('textarea[name=system]').fill('Speak like a sailor – ✓')
      await page.locator('[data-test=share]').click()
      const link = String(await page.evaluate('navigator.clipboard.readText()'))
      t.notMatch(link, /sk-|grass/)
      await page.locator('textarea[name=system]').fill('')
      await page.goto(link)
      await page.getByRole('dialog').getByText('Speak like a sailor – ✓').waitFor()
      t.equal(await page.locator('textarea[name=system]').inputValue(), '')
      await page.getByRole('dialog').getByRole('button', { name: 'Use them' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      t.equal(await page.locator('textarea[name=system]').inputValue(), 'Speak like a sailor – ✓')
      t.notMatch(page.url(), /settings=/)
    })
  },
)

t.test(
  'a message is written by keyboard, with pictures pasted and dropped',
  { skip: noBrowser },
  async (t) => {
    const { page, upstream, answer: at, settled } = await openPlayground(t)
    upstream.script(events(chat.delta('Yes.'), chat.stop(), chat.done))
    const message = page.locator('[data-test=message] textarea')
    await message.fill('one')
    await message.press('Shift+Enter')
    await message.pressSequentially('two')
    // Enter that ends the choice of a character.
    await message.dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true })
    for (const way of ['paste', 'drop']) {
      await page.evaluate(`(() => {
      const data = new DataTransfer()
      data.items.add(new File(['GIF89a'], '${way}.gif', { type: 'image/gif' }))
      const terms = { clipboardData: data, dataTransfer: data, bubbles: true, cancelable: true }
      const event = '${way}' === 'paste' ? new ClipboardEvent('paste', terms) : new DragEvent('drop', terms)
      document.querySelector('[data-test=message] textarea').dispatchEvent(event)
    })()`)
      await page.getByRole('button', { name: `Remove ${way}.gif` }).waitFor()
    }
    t.equal(upstream.requests.length, 0)
    await message.press('Enter')
    await at(0).getByText('Yes.').waitFor()
    await settled()
    const image = { type: 'image_url', image_url: { url: 'data:image/gif;base64,R0lGODlh' } }
    t.match(upstream.requests[0]!.json!.messages, [
      { content: [{ type: 'text', text: 'one\ntwo' }, image, image] },
    ])
  },
)
