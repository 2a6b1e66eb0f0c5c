/** Which of several entries speaks for a name. */
import t from 'tap'
import { bestEntry } from '../../../../plugins/services/model-registry/best-entry.js'
import type { ModelEntry, NameRule } from '../../../../plugins/services/model-registry/index.js'

const entry = (id: number, rule: NameRule, modelName: string, enabled = true): ModelEntry => ({
  id,
  rule,
  modelName,
  enabled,
  description: '',
  icon: '',
  tags: '',
  about: {},
})

t.test('one entry speaks for a name: exact, then prefix, then suffix, then part', async (t) => {
  const rows: readonly (readonly [string, readonly ModelEntry[], string, number | undefined])[] = [
    ['nothing fits', [entry(1, 'exact', 'gpt-4')], 'gpt-4o', undefined],
    ['exact is the whole name', [entry(1, 'exact', 'gpt-4o')], 'gpt-4o', 1],
    [
      'capitals count',
      [entry(1, 'exact', 'GPT-4o'), entry(2, 'prefix', 'Gpt')],
      'gpt-4o',
      undefined,
    ],
    [
      'exact goes before a longer prefix is even possible',
      [entry(1, 'prefix', 'gpt-4o'), entry(2, 'exact', 'gpt-4o')],
      'gpt-4o',
      2,
    ],
    [
      'a short prefix goes before a long suffix',
      [entry(1, 'suffix', 'pt-4o-mini'), entry(2, 'prefix', 'g')],
      'gpt-4o-mini',
      2,
    ],
    [
      'a short suffix goes before a long part',
      [entry(1, 'contains', 'pt-4o-mini'), entry(2, 'suffix', 'i')],
      'gpt-4o-mini',
      2,
    ],
    [
      'the longer prefix goes before the shorter',
      [entry(1, 'prefix', 'gpt'), entry(2, 'prefix', 'gpt-4o'), entry(3, 'prefix', 'gpt-4')],
      'gpt-4o-mini',
      2,
    ],
    [
      'the longer suffix goes before the shorter',
      [entry(1, 'suffix', 'mini'), entry(2, 'suffix', '-mini')],
      'gpt-4o-mini',
      2,
    ],
    [
      'the longer part goes before the shorter',
      [entry(1, 'contains', '4o'), entry(2, 'contains', '-4o-')],
      'gpt-4o-mini',
      2,
    ],
    [
      'of two as long the older entry speaks',
      [entry(9, 'contains', 'mini'), entry(4, 'contains', '4o-m')],
      'gpt-4o-mini',
      4,
    ],
    [
      'length is counted in characters, not in UTF-16 units',
      [entry(1, 'contains', '😀😀'), entry(2, 'contains', 'abc')],
      'x😀😀abc',
      2,
    ],
    [
      'an entry that is off takes part, so that it can hide what it speaks for',
      [entry(1, 'prefix', 'gpt', true), entry(2, 'exact', 'gpt-4o', false)],
      'gpt-4o',
      2,
    ],
  ]
  for (const [title, entries, name, id] of rows) {
    t.equal(bestEntry(entries)(name)?.id, id, title)
    t.equal(bestEntry([...entries].reverse())(name)?.id, id, `${title}, in any order`)
  }
})
