/** A list whose entries leave in any order. */
import t from 'tap'
import { LinkedList } from '../../../../kernel/toolkit/service/index.js'

t.test('entries stand in the order they came, whichever left', async (t) => {
  const values = () => list.entries().map(({ value }) => value)
  const list = new LinkedList<string>()
  t.strictSame(values(), [])
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((one) => list.add(one))
  t.strictSame(values(), ['a', 'b', 'c', 'd'])
  list.remove(b!)
  t.strictSame(values(), ['a', 'c', 'd'])
  list.remove(a!)
  list.remove(d!)
  t.strictSame(values(), ['c'])
  list.add('e')
  t.strictSame(values(), ['c', 'e'])
  list.remove(c!)
  t.strictSame(values(), ['e'])
})

t.test('an entry that left leads to none of the others, and leaves once', async (t) => {
  const list = new LinkedList<number>()
  const [first, second] = [list.add(1), list.add(2)]
  list.remove(first)
  t.strictSame(first, { value: 1, before: undefined, after: undefined, isListed: false })
  list.remove(first)
  t.strictSame(list.entries(), [second])
  list.remove(second)
  t.strictSame(list.entries(), [])
})
