/** The form of a declared field: whatever a manifest may declare is one. */
import t from 'tap'
import { settingField } from '../../../../kernel/registry/setting-field.js'
import { settingFieldForm } from '../../../../kernel/toolkit/management/setting-field-form.js'

/** With every member some field has. */
const fields = [
  { name: 'key', type: 'secret', title: 'Key', help: 'Of the account.', option: 'KeyOption' },
  { name: 'most', type: 'number', title: 'Most', default: 3, min: 1, max: 9, integer: true },
  { name: 'mode', type: 'select', title: 'Mode', options: ['', 'fast'], default: '' },
  { name: 'rules', type: 'json', title: 'Rules', default: { a: [1, null] }, maxBytes: 4096 },
  { name: 'logo', type: 'string', title: 'Logo', image: true },
  {
    name: 'widget',
    type: 'boolean',
    title: 'Widget',
    pages: { script: ['https://widget.example'], frame: ['https://frame.example'] },
    when: { field: 'mode', is: 'fast' },
  },
]

t.test('what a manifest may declare is a field of the response, member for member', async (t) => {
  for (const field of fields) {
    t.equal(settingField.validate(field, { convert: false }).error, undefined)
    const { error } = settingFieldForm.validate(field, { convert: false, presence: 'required' })
    t.equal(error, undefined, field.name)
  }
  const declared = Object.keys(settingField.describe().keys ?? {})
  t.same(Object.keys(settingFieldForm.describe().keys ?? {}).sort(), declared.sort())
})
