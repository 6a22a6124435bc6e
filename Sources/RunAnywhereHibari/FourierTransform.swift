import Foundation

/// Forward discrete Fourier transforms of 1200 complex values, eight at a time.
///
/// Mixed radix 4·4·3·5·5 in Stockham's self-sorting order; nothing is allocated after `init`.
final class FourierTransform {
  static let size = 1200
  private static let radices = [4, 4, 3, 5, 5]

  /// In and out: real and imaginary parts of the values.
  private(set) var re = UnsafeMutablePointer<Lanes>.allocate(capacity: size)
  private(set) var im = UnsafeMutablePointer<Lanes>.allocate(capacity: size)
  private var otherRe = UnsafeMutablePointer<Lanes>.allocate(capacity: size)
  private var otherIm = UnsafeMutablePointer<Lanes>.allocate(capacity: size)
  private let cosines = UnsafeMutablePointer<Float>.allocate(capacity: size)
  private let sines = UnsafeMutablePointer<Float>.allocate(capacity: size)

  init() {
    for buffer in [re, im, otherRe, otherIm] { buffer.initialize(repeating: .zero, count: Self.size) }
    for k in 0..<Self.size {
      let angle = -2 * Double.pi * Double(k) / Double(Self.size)
      (cosines + k).initialize(to: Float(cos(angle)))
      (sines + k).initialize(to: Float(sin(angle)))
    }
  }

  deinit {
    for buffer in [re, im, otherRe, otherIm] { buffer.deallocate() }
    cosines.deallocate()
    sines.deallocate()
  }

  /// Replaces the values by their transform. `re` and `im` may point elsewhere afterwards.
  func run() {
    var length = Self.size
    var stride = 1
    for radix in Self.radices {
      let part = length / radix
      for p in 0..<part {
        switch radix {
        case 4: radix4(p, part, stride)
        case 3: radix3(p, part, stride)
        default: radix5(p, part, stride)
        }
      }
      length = part
      stride *= radix
      swap(&re, &otherRe)
      swap(&im, &otherIm)
    }
  }

  @inline(__always) private func store(_ at: Int, _ x: Lanes, _ y: Lanes, _ turn: Int) {
    let c = cosines[turn]
    let s = sines[turn]
    otherRe[at] = x * c - y * s
    otherIm[at] = x * s + y * c
  }

  private func radix4(_ p: Int, _ part: Int, _ stride: Int) {
    for q in 0..<stride {
      let i = q + stride * p
      let step = stride * part
      let (ar, ai) = (re[i], im[i])
      let (br, bi) = (re[i + step], im[i + step])
      let (cr, ci) = (re[i + 2 * step], im[i + 2 * step])
      let (dr, di) = (re[i + 3 * step], im[i + 3 * step])
      let (sr, si, tr, ti) = (ar + cr, ai + ci, ar - cr, ai - ci)
      let (ur, ui, vr, vi) = (br + dr, bi + di, br - dr, bi - di)
      let o = q + stride * 4 * p
      let turn = p * stride
      otherRe[o] = sr + ur
      otherIm[o] = si + ui
      store(o + stride, tr + vi, ti - vr, turn)
      store(o + 2 * stride, sr - ur, si - ui, 2 * turn)
      store(o + 3 * stride, tr - vi, ti + vr, 3 * turn)
    }
  }

  private func radix3(_ p: Int, _ part: Int, _ stride: Int) {
    let half: Float = 0.866_025_4
    for q in 0..<stride {
      let i = q + stride * p
      let step = stride * part
      let (ar, ai) = (re[i], im[i])
      let (br, bi) = (re[i + step], im[i + step])
      let (cr, ci) = (re[i + 2 * step], im[i + 2 * step])
      let (sr, si) = (br + cr, bi + ci)
      let (mr, mi) = (ar - 0.5 * sr, ai - 0.5 * si)
      let (nr, ni) = ((bi - ci) * half, (cr - br) * half)
      let o = q + stride * 3 * p
      let turn = p * stride
      otherRe[o] = ar + sr
      otherIm[o] = ai + si
      store(o + stride, mr + nr, mi + ni, turn)
      store(o + 2 * stride, mr - nr, mi - ni, 2 * turn)
    }
  }

  private func radix5(_ p: Int, _ part: Int, _ stride: Int) {
    let (c1, c2): (Float, Float) = (0.309_016_99, -0.809_016_99)
    let (s1, s2): (Float, Float) = (0.951_056_52, 0.587_785_25)
    for q in 0..<stride {
      let i = q + stride * p
      let step = stride * part
      let (ar, ai) = (re[i], im[i])
      let (br, bi) = (re[i + step], im[i + step])
      let (cr, ci) = (re[i + 2 * step], im[i + 2 * step])
      let (dr, di) = (re[i + 3 * step], im[i + 3 * step])
      let (er, ei) = (re[i + 4 * step], im[i + 4 * step])
      let (fr, fi, gr, gi) = (br + er, bi + ei, br - er, bi - ei)
      let (hr, hi, kr, ki) = (cr + dr, ci + di, cr - dr, ci - di)
      let (mr, mi) = (ar + c1 * fr + c2 * hr, ai + c1 * fi + c2 * hi)
      let (nr, ni) = (ar + c2 * fr + c1 * hr, ai + c2 * fi + c1 * hi)
      let (ur, ui) = (s1 * gi + s2 * ki, s1 * gr + s2 * kr)
      let (vr, vi) = (s2 * gi - s1 * ki, s2 * gr - s1 * kr)
      let o = q + stride * 5 * p
      let turn = p * stride
      otherRe[o] = ar + fr + hr
      otherIm[o] = ai + fi + hi
      store(o + stride, mr + ur, mi - ui, turn)
      store(o + 2 * stride, nr + vr, ni - vi, 2 * turn)
      store(o + 3 * stride, nr - vr, ni + vi, 3 * turn)
      store(o + 4 * stride, mr - ur, mi + ui, 4 * turn)
    }
  }
}
