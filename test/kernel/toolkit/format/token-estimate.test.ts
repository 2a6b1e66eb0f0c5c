/** The token estimate against a real tokenizer, and the byte scan against the string scan. */
import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import t from 'tap'
import { estimateTokens, TokenCounter } from '../../../../kernel/toolkit/format/token-estimate.js'
import { fixturePath } from '../../../plugins/formats/chat/fixture.js'

t.test('within 10 % of the tokenizer on prose, answers and code', async (t) => {
  const names = readdirSync(fixturePath('text'))
  t.ok(names.length >= 6)
  for (const name of names) {
    const text = readFileSync(fixturePath(`text/${name}`), 'utf8')
    const tokens = encode(text).length
    const off = estimateTokens(text) / tokens - 1
    t.ok(Math.abs(off) < 0.1, `${name}: ${tokens} tokens, ${(off * 100).toFixed(1)} % off`)
  }
})

t.test('never absurd where the sample is another script or no text at all', async (t) => {
  const samples = [
    'Сегодня я расскажу о том, как работает пул соединений с базой данных.',
    '猫が窓の外を見ているとき、私は新しいプログラムを書いていました。',
    '오늘은 데이터베이스 연결이 어떻게 동작하는지 설명해 드리겠습니다.',
    'سأشرح اليوم كيف يعمل تجمع الاتصالات بقاعدة البيانات.',
    'Größere Übungen führen wir später durch, très élégamment.',
    '🎉🎉 Great 🚀 done ✅ 🔥',
    '0123456789 3.14159 2026-11-21T10:00:00Z',
    '{"id":1,"name":"x","tags":["a","b"],"nested":{"k":null}}',
  ]
  for (const text of samples) {
    const ratio = estimateTokens(text) / encode(text).length
    t.ok(ratio > 0.6 && ratio < 1.6, `${ratio.toFixed(2)} ${text}`)
  }
  t.equal(estimateTokens(''), 0)
  t.equal(estimateTokens(' '), 0)
  t.equal(estimateTokens('.'), 1)
})

t.test(
  'the inside of a JSON string counts as the string it stands for, cut anywhere',
  async (t) => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(
        'a\n\tb "q" \\ /',
        '天气 é 🎉 \u0007',
        'HTTPServer2 fooBar_baz 12345',
        '的了是',
      ),
    )
    fc.assert(
      fc.property(fc.array(text), fc.boolean(), fc.nat(), (texts, escaped, place) => {
        const whole = texts.join('')
        const json = escaped ? asciiJson(whole) : JSON.stringify(whole)
        const bytes = Buffer.from(json)
        const at = 1 + (place % (bytes.length - 1))
        const strings = new TokenCounter()
        for (const one of texts) strings.add(one)
        const scanned = new TokenCounter()
        scanned.addJson(bytes, 1, at)
        scanned.addJson(bytes, at, bytes.length - 1)
        // A random text may not stand in a title: it would be read as part of the report.
        t.equal(strings.estimatedTokens, estimateTokens(whole), 'pieces count as the whole')
        t.equal(scanned.estimatedTokens, strings.estimatedTokens, 'the bytes count as the string')
        return strings.estimatedTokens === scanned.estimatedTokens
      }),
      { numRuns: 500 },
    )
  },
)

t.test('a long run without a break takes no longer than any other text', async (t) => {
  for (const text of ['a'.repeat(2_000_000), ' '.repeat(2_000_000), '汉'.repeat(1_000_000)]) {
    t.ok(estimateTokens(text) >= 1)
  }
})

function asciiJson(text: string): string {
  return JSON.stringify(text).replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
