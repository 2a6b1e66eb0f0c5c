/** The Playground in the dark, in Chinese and on a phone, with hostile Markdown and a fast stream. */
import t from 'tap'
import { chat, events } from '../kit/upstream.js'
import { findings } from './kit/axe.js'
import { noBrowser } from './kit/browser.js'
import { tooWide } from './kit/look.js'
import { openPlayground } from './kit/playground.js'

const hostile = `<script>window.broken = 1</script>
<img src=x onerror="window.broken = 2">

[one](javascript:window.broken=3) [two](java&#10;script:window.broken=4) [three](data:text/html,<script>window.broken=5</script>)
[four](JaVaScRiPt:window.broken=6) [five](vbscript:x) <javascript:window.broken=7>

![remote](https://elsewhere.example/pixel.png) ![own](/api/user/logout) ![svg](data:image/svg+xml;base64,PHN2Zz4=)

[quotes](https://good.example/"onmouseover="window.broken=8) \`<b>code</b>\`

\`\`\`html" onclick="window.broken=9
<script>window.broken = 10</script>
\`\`\`

# Big heading

https://plain.example/path and main.py
`

t.test(
  'hostile Markdown runs nothing, loads nothing and leads nowhere bad',
  { skip: noBrowser },
  async (t) => {
    const { page, upstream, say, answer, settled, picture } = await openPlayground(t, {
      theme: 'dark',
    })
    const elsewhere: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('elsewhere') || request.url().includes('logout'))
        elsewhere.push(request.url())
    })
    upstream.script(
      events(
        ...hostile.split(/(?<=\s)/).map(chat.delta),
        chat.stop(),
        chat.usage(5, 200),
        chat.done,
      ),
    )
    await say('Attack me.')
    await settled()
    const text = answer(0).locator('[data-test=text]')
    await text.getByRole('heading', { name: 'Big heading', level: 3 }).waitFor()
    t.equal(await page.evaluate('window.broken'), undefined)
    t.strictSame(elsewhere, [])
    t.equal(await text.locator('script, img, b, [onclick], [onmouseover], [onerror]').count(), 0)
    const links = await text
      .locator('a')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href')))
    for (const href of links) t.match(href, /^(https:\/\/|\/api)/)
    t.ok(links.includes('https://plain.example/path'))
    t.notOk(links.some((href) => href?.includes('main.py')))
    const marks = await text
      .locator('a')
      .first()
      .evaluate((link) => [link.getAttribute('rel'), link.getAttribute('target')])
    t.strictSame(marks, ['noopener noreferrer nofollow', '_blank'])
    await text.getByRole('button', { name: 'Copy code' }).click()
    t.equal(
      await page.evaluate('navigator.clipboard.readText()'),
      '<script>window.broken = 10</script>\n',
    )
    await picture('playground-markdown-dark')
    t.strictSame(await findings(page), [])
  },
)

/** Notes how long the page stood still at most. */
const beat = `window.longest = 0; (() => {
  let last = performance.now()
  const next = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    setTimeout(next, 0)
  }
  next()
})()`

t.test('a thousand pieces a second leave the page at hand', { skip: noBrowser }, async (t) => {
  const { page, upstream, say, answer, settled, picture } = await openPlayground(t, {
    theme: 'dark',
  })
  const words = Array.from({ length: 6_000 }, (_, at) =>
    chat.delta(at % 20 === 19 ? `w${at}.\n\n` : `w${at} `),
  )
  upstream.script(events(...words, chat.stop(), chat.usage(5, 6_000), chat.done))
  await page.evaluate(beat)
  await say('Write a lot.')
  await answer(0).getByText('w5999.').waitFor()
  await settled()
  const longest = Number(await page.evaluate('window.longest'))
  t.ok(longest < 1_500, `the page stood still for ${Math.round(longest)} ms at most`)
  await answer(0).getByText('5 in · 6,000 out').waitFor()
  await page.getByText('w5999.').waitFor()
  await picture('playground-long-dark')

  await t.test(
    'of five hundred messages only the newest are drawn, and all of them go along',
    async (t) => {
      await page.evaluate(`(() => {
      dispatchEvent(new Event('pagehide'))
      const place = Object.keys(localStorage).find((key) => key.includes('playground.conversation.'))
      const [turn] = JSON.parse(localStorage.getItem(place))
      const [column, answer] = Object.entries(turn.answers)[0]
      const text = 'It has **bold** words and \\'code\\'.\\n\\n- one\\n- two\\n\\n'.repeat(20)
      const turns = Array.from({ length: 250 }, (_, at) => ({
        ...turn, id: 't' + at, text: 'Question ' + at + '?', answers: { [column]: { ...answer, text } }
      }))
      addEventListener('pagehide', () => localStorage.setItem(place, JSON.stringify(turns)))
    })()`)
      await page.reload()
      await page.getByText('Question 249?').waitFor()
      const turns = page.locator('[data-test=turn]')
      t.ok((await turns.count()) < 100, 'not all of them are drawn')
      await page.locator('[data-test=earlier]').click()
      await page.getByText('Question 209?').waitFor()
      upstream.script(
        events(...words.slice(0, 2_000), chat.stop(), chat.usage(5, 2_000), chat.done),
      )
      await say('And in short?')
      await page.getByText('w1999.').waitFor()
      await settled()
      t.equal((upstream.requests.at(-1)!.json!.messages as object[]).length, 501)
      await page.reload()
      await page.getByText('And in short?').waitFor()
      await page.getByText('Earlier messages: 211').waitFor()
    },
  )
})

t.test(
  'on a phone models are tabs, settings a drawer, and nothing overflows',
  { skip: noBrowser },
  async (t) => {
    const viewport = { width: 390, height: 844 }
    const { page, upstream, say, answer, settled, picture } = await openPlayground(t, {
      viewport,
      locale: 'zh-CN',
    })
    upstream.script(
      events(chat.delta('你好，**世界**。'), chat.stop(), chat.usage(5, 9), chat.done),
    )
    await picture('playground-empty-phone')
    await page.locator('[data-test=add-model]').click()
    await say('你好')
    await answer(0).getByText('世界').waitFor()
    await settled()
    t.equal(await page.locator('[data-test=answer]').count(), 1)
    await page.locator('button[aria-pressed=false]').click()
    await answer(0).getByText('世界').waitFor()
    t.equal(upstream.requests.length, 2)
    await picture('playground-phone')
    const wide = await tooWide(page)
    t.equal(wide, 0)
    t.strictSame(await findings(page), [])
    await page.locator('[data-test=panel]').click()
    await page.locator('[data-test=parameter-temperature]').waitFor()
    await picture('playground-drawer-phone')
    t.strictSame(await findings(page), [])
  },
)
