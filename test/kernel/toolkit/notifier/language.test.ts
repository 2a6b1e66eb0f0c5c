/** Which language somebody reads: by what their account chose, and by what their browser accepts. */
import t from 'tap'
import { acceptedLanguage, chosenLanguage } from '../../../../kernel/toolkit/notifier/language.js'

t.test('an account chose Chinese in any spelling, another language, or none', async (t) => {
  for (const tag of ['zh', 'zh-CN', 'zh_TW', 'ZH-hk']) t.equal(chosenLanguage(tag), 'zh', tag)
  for (const tag of ['en', 'en-GB', 'fr', 'zhuang']) t.equal(chosenLanguage(tag), 'en', tag)
  for (const tag of ['', undefined, null, 7]) t.equal(chosenLanguage(tag), undefined)
})

t.test('a browser accepts languages in its own order', async (t) => {
  const rows: readonly (readonly [string | undefined, 'en' | 'zh' | undefined])[] = [
    ['zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
    ['en;q=0.5, zh;q=0.9', 'zh'],
    ['en-US,zh;q=0.5', 'en'],
    ['fr-FR,fr;q=0.9,zh;q=0.1', 'zh'],
    ['zh;q=0, en', 'en'],
    ['fr', undefined],
    ['*', undefined],
    ['', undefined],
    [undefined, undefined],
    [';;q=x', undefined],
    [`${'a,'.repeat(8_000)}zh`, 'zh'],
  ]
  for (const [header, language] of rows) {
    t.equal(acceptedLanguage(header), language, header?.slice(0, 30) ?? 'none')
  }
})
