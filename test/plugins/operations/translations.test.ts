/** Speech to English text: as a transcript, under its own name. */
import t from 'tap'
import create from '../../../plugins/operations/translations/index.js'
import { file, form, refusedField } from './media/asking.js'
import { wav } from './media/samples.js'

t.test('a translation is requested and counted like a transcript', async (t) => {
  const translations = create()
  const body = form({ response_format: 'text' }, file('file', wav(60)))
  t.equal(translations.name, 'translations')
  t.equal(translations.check(body).model, 'whisper-1')
  t.same(translations.estimate(body), { inputAudio: 1000, output: 0 })
  t.equal(refusedField(translations, form({})), 'file')
})
