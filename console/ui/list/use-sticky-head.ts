/**
 * Keeps the head of a table in sight while the page scrolls. What scrolls a wide table sideways takes `position: sticky`
 * away from its head, so the head is moved down by as much as it would have left.
 */
import { onMounted, onUnmounted, type Ref } from 'vue'

const shift = '--head-shift'

export function useStickyHead(region: Ref<HTMLElement | undefined>): void {
  let frame = 0

  function place(): void {
    frame = 0
    const head = region.value?.querySelector<HTMLElement>('.n-data-table-thead')
    const body = region.value?.querySelector<HTMLElement>('.n-data-table-tbody')
    if (region.value === undefined || !head || !body) return
    const { top, bottom } = body.getBoundingClientRect()
    const height = head.offsetHeight
    const wanted = stuckAbove(region.value) - (top - height)
    const most = Math.max(0, bottom - top - height)
    region.value.style.setProperty(shift, `${Math.round(Math.min(Math.max(0, wanted), most))}px`)
  }

  function follow(): void {
    frame ||= requestAnimationFrame(place)
  }

  onMounted(() => {
    addEventListener('scroll', follow, { passive: true, capture: true })
    addEventListener('resize', follow)
  })
  onUnmounted(() => {
    cancelAnimationFrame(frame)
    removeEventListener('scroll', follow, { capture: true })
    removeEventListener('resize', follow)
  })
}

/** The header of the console, and what stands in sight above the table. */
function stuckAbove(region: HTMLElement): number {
  const bars = region.parentElement?.querySelectorAll<HTMLElement>('[data-sticks]') ?? []
  const header = document.querySelector<HTMLElement>('header[data-sticks]')
  const bottoms = [header, ...bars].map((one) => one?.getBoundingClientRect().bottom ?? 0)
  return Math.max(0, ...bottoms)
}
