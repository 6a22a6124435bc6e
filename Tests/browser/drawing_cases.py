"""What the page's renderers draw."""

import asyncio

from harness import case, expect


@case("WebGPU and WebGL 2 draw the same face", size=(480, 480))
async def same_pixels(page, context, server):
    pictures = {}
    for kind in ("webgpu", "webgl2"):
        await page.page.goto(f"{page.address}/pages/face.html?renderer={kind}")
        for _ in range(600):
            drawn = await page.page.evaluate("window.drawn ?? null")
            if drawn is not None:
                break
            await asyncio.sleep(0.05)
        expect(drawn == kind, f"{kind} did not draw: {drawn}")
        pictures[kind] = await page.page.evaluate("picture()")
    different = sum(1 for a, b in zip(*pictures.values()) if abs(a - b) > 6)
    expect(len(pictures["webgpu"]) == len(pictures["webgl2"]), "the sizes differ")
    expect(
        different < 0.001 * len(pictures["webgpu"]),
        f"{different} of {len(pictures['webgpu'])} numbers differ",
    )
    expect(max(pictures["webgl2"]) - min(pictures["webgl2"]) > 100, "the picture is empty")


async def alphas(page, kind, **setting):
    if not page.page.url.endswith("/pages/edges.html"):
        await page.page.goto(f"{page.address}/pages/edges.html")
        await page.page.wait_for_function("window.drawn")
    return await page.page.evaluate("([kind, setting]) => alphas(kind, setting)", [kind, setting])


@case("edges of meshes are smooth where a graphics device draws")
async def smooth_edges(page, context, server):
    triangle = {"from": 0, "positions": [2, 3, 61, 20, 9, 60], "uvs": [8, 8, 120, 8, 8, 120], "size": 64, "scale": 1}
    pictures = {}
    for kind in ("webgpu", "webgl2"):
        hard = await alphas(page, kind, samples=1, **triangle)
        expect(set(hard) == {0, 255}, f"{kind} draws {sorted(set(hard))} with one sample a pixel")
        pictures[kind] = await alphas(page, kind, samples=4, **triangle)
        between = sum(1 for alpha in pictures[kind] if 0 < alpha < 255)
        expect(between > 40, f"{kind} draws {between} pixels between clear and full")
    worst = max(abs(a - b) for a, b in zip(*pictures.values()))
    expect(worst <= 64, f"the two differ by {worst}")


@case("a part shows nothing of its neighbours in the atlas, however small it is drawn")
async def no_neighbours(page, context, server):
    # A clear part of 63 texels, then the gap of 3, then a neighbour that is white.
    left, top, right, bottom = 0, 0, 63, 128
    corners = [left, top, right, top, right, bottom, left, top, right, bottom, left, bottom]
    for kind in ("webgpu", "webgl2"):
        for scale in (1, 0.5, 0.3, 0.25, 0.2, 0.125):
            for shift in (0, 1.5, 3):
                moved = [x + shift for x in corners]
                seen = await alphas(
                    page, kind, samples=1, **{"from": 66}, positions=moved, uvs=corners, size=128, scale=scale
                )
                expect(max(seen) == 0, f"{kind} shows the neighbour ({max(seen)}) at {scale}")


@case("a lost graphics device is replaced and the face comes back", size=(480, 480))
async def lost_device(page, context, server):
    await page.page.goto(f"{page.address}/pages/face.html?renderer=webgl2")
    for _ in range(600):
        if await page.page.evaluate("window.drawn ?? null") is not None:
            break
        await asyncio.sleep(0.05)
    before = await page.page.evaluate("picture()")
    await page.page.evaluate("loseDevice()")
    for _ in range(200):
        if await page.page.evaluate("isAnotherCanvas()"):
            break
        await asyncio.sleep(0.05)
    expect(await page.page.evaluate("isAnotherCanvas()"), "no canvas took the place of the lost one")
    await asyncio.sleep(0.5)
    after = await page.page.evaluate("picture()")
    expect(max(after) - min(after) > 100 and len(after) == len(before), "the face did not come back")
