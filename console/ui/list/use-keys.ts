/**
 * Makes what the component library draws for the mouse alone work by keyboard and speak to screen readers: titles a table
 * is sorted by, a table wider than its place, and the pages of a list.
 */
import { onUnmounted, type Ref, watch } from 'vue'
import { useI18n } from 'vue-i18n'
import { nameControls } from '../name.js'

const reached = 'data-by-key'

export function useKeys(box: Ref<HTMLElement | undefined>): void {
  const { t } = useI18n()
  let watcher: MutationObserver | undefined

  function reach(within: HTMLElement): void {
    for (const title of within.querySelectorAll<HTMLElement>('.n-data-table-th--sortable')) {
      sortable(title)
    }
    const label = within.getAttribute('aria-label')
    for (const scroller of within.querySelectorAll<HTMLElement>(
      '.n-data-table .n-scrollbar-container',
    )) {
      if (label !== null) scrollable(scroller, label)
    }
    for (const pages of within.querySelectorAll('.n-pagination')) {
      const items = [...pages.querySelectorAll<HTMLElement>('.n-pagination-item')]
      items.forEach((item, place) => {
        const atEnd = place === items.length - 1 ? t('shell.pages.next') : t('shell.pages.more')
        page(item, place === 0 ? t('shell.pages.before') : atEnd)
      })
      const size = pages.querySelector<HTMLElement>('.n-select')
      if (size !== null) nameControls(size, t('shell.pages.size'))
    }
  }

  const resized = () => box.value && reach(box.value)

  function stop(): void {
    watcher?.disconnect()
    removeEventListener('resize', resized)
  }

  watch(
    box,
    (within) => {
      stop()
      if (within === undefined) return
      reach(within)
      within.addEventListener('keydown', press)
      addEventListener('resize', resized)
      watcher = new MutationObserver(() => reach(within))
      // Which page is shown, and how a table is sorted, the library shows by classes.
      watcher.observe(within, { childList: true, subtree: true, attributeFilter: ['class'] })
    },
    { flush: 'post' },
  )
  onUnmounted(stop)
}

/** The click bubbles to where the library waits for it. */
function press(event: KeyboardEvent): void {
  const { target, key } = event
  if (key !== 'Enter' && key !== ' ') return
  if (!(target instanceof HTMLElement) || !target.hasAttribute(reached)) return
  event.preventDefault()
  target.click()
}

function sortable(head: HTMLElement): void {
  const sorter = head.querySelector('.n-data-table-sorter')?.classList
  const up = sorter?.contains('n-data-table-sorter--asc') ? 'ascending' : undefined
  const down = sorter?.contains('n-data-table-sorter--desc') ? 'descending' : undefined
  head.setAttribute('aria-sort', up ?? down ?? 'none')
  const title = head.querySelector<HTMLElement>('.n-data-table-th__title')
  if (title !== null) pressable(title)
}

/** A table wider than its place is come to itself where nothing in it is. */
function scrollable(scroller: HTMLElement, label: string): void {
  const isWide = scroller.scrollWidth > scroller.clientWidth
  const isReached = scroller.querySelector('a[href], button, input, [tabindex="0"]') !== null
  if (isWide && !isReached) {
    scroller.tabIndex = 0
    scroller.setAttribute('role', 'group')
    scroller.setAttribute('aria-label', label)
  } else if (scroller.tabIndex === 0) {
    scroller.removeAttribute('tabindex')
    scroller.removeAttribute('aria-label')
    scroller.setAttribute('role', 'none')
  }
}

function page(item: HTMLElement, name: string): void {
  const { classList } = item
  const disabled = classList.contains('n-pagination-item--disabled')
  pressable(item, !disabled)
  item.setAttribute('aria-disabled', String(disabled))
  if (classList.contains('n-pagination-item--active')) item.setAttribute('aria-current', 'page')
  else item.removeAttribute('aria-current')
  if (item.textContent?.trim() === '') item.setAttribute('aria-label', name)
  else item.removeAttribute('aria-label')
}

function pressable(element: HTMLElement, now = true): void {
  element.setAttribute('role', 'button')
  element.setAttribute(reached, '')
  element.tabIndex = now ? 0 : -1
}
