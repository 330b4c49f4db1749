import Foundation

/// The common components of multilingual-e5-small's vectors: a large one that is independent of the
/// text (Mu and Viswanath, “All-but-the-Top”, 2018), and one for each language, which makes two
/// texts in one language more similar than two with the same meaning.
///
/// `Benchmarks/Search/languages/centre.py` measures them on the program's own sentences, which
/// exist in German and English.
struct E5Centre: Sendable {
  /// The mean vector.
  let mean: [Float]
  /// Orthogonal directions of unit length between languages.
  let ways: [[Float]]

  /// The components for vectors of queries.
  static let query = E5Centre(mean: row(0), ways: [row(2), row(3)])
  /// The components for vectors of searched texts.
  static let passage = E5Centre(mean: row(1), ways: [row(2), row(3)])

  /// Removes the components from a vector, which has unit length before and after.
  func takeOff(_ vector: UnsafeMutableBufferPointer<Float>) {
    for index in vector.indices { vector[index] -= mean[index] }
    for way in ways {
      let part = zip(vector, way).reduce(0) { $0 + $1.0 * $1.1 }
      for index in vector.indices { vector[index] -= part * way[index] }
    }
    let length = vector.reduce(0) { $0 + $1 * $1 }.squareRoot()
    guard length > 0 else { return }
    for index in vector.indices { vector[index] /= length }
  }

  private static func row(_ index: Int) -> [Float] { Array(rows[index * 384..<(index + 1) * 384]) }

  /// The four rows: the means of queries and of passages, and the two directions.
  private static let rows: [Float] = {
    // The numbers are 16-bit little-endian, with 32767 for 1.
    let bytes = Data(base64Encoded: packed) ?? Data()
    precondition(bytes.count == 4 * 384 * 2)
    return stride(from: 0, to: bytes.count, by: 2).map { offset in
      Float(Int16(bitPattern: UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8)) / 32767
    }
  }()

  private static let packed = """
    SQbP+336qPe4CBf7wwD8BF4EFAGKBUYDJgj7+7f5vQU9BuT8c/xA+okDiwEa+iIEtQa2By/60gT0Blz2jPic+tQF/Pde\
    BkwEf/hc+m0H0fnf+3YEAAX2CFEFMwRo+mQEYvsC++z69AboAucESwTv9bb40PYf+GgEggcZ/qgAJgWZCW4IGgTRBhn5\
    a/2B+YwGhwDr+oUAzAKcBEr6pQIv+gz6HPrc+lEGZ/q8BzIHVvg/Bun9OwVMB5365/hh80X46PoFBkgIK/zdBhv7ZQSK\
    +J765QWEAzv4ugQV+ez5EgUNB3MHQfj4+2785fltAxP4twaF/FP5u/hK+VP87gWYBs4CuAHgBSUCDgKuBRcG2wl3+IYA\
    iP65/A774gWB+8QENAaFBLUIFP3wCHf3YgMw+wYJkgSUBhT7wvc/+vsF5QTl+uP2yvek/hT58P1pBdUHZf3J+Zb6KwWz\
    +TcFl/9RBnr52wLOCegF+vwj/gD5y/iw+xX5HPpNA3UCSv5Q//oEY/x79hH5OATF+1UGygbZBMr+Hf3pA+cEfAXgAt33\
    tASh+bYF4AZC9y76/gbu+Nb65QHoBkj6aQXSBWn9Jgat8ov2hQTNBxP5XfwoBwH71Pv3+H/0Kfto98L+FwaKBQ75b/0K\
    /EwFR/eSB/P6z/r1BHn+PATSBL74KfoI+nb7/QXQBtEKbPm5AycC8v1jCzYFFwU5BdD5mv62+B/90flkA10GgftB+Qz6\
    SgUfCvD6W/xoBxMDWQVKCOEGfv4N+80EJ/r6+6X/DvksBQv5LQgGAe//3gck/JwHH/0J+MEFsAaR9fAChwHsAikCAgWb\
    BhoGlflq+7gGqAfb/BoCIPpA+SP5H/pv/c/5OgZ2Be/5svsEB9v/7QRh+9D8BAeb+PX8OvulBmP68/j4A/8FS/rDBov9\
    0vhXB1b7vvkGBsQG7fMDAjEGAfvRBLb6NvpUBGUFHvg6+z0EQQNsB4kEXv5o/5YDpvceCOAF+/nHAPT9i/dv+MMH/fpP\
    +jUHzgeHAj4HBAeu/Wn7lvaVCOn72f6YAh4EcgE/BtUBIAmD/Dv48wSnBpz8rvvo+z0DLQBZ+vkDLwZMCCL7ogRsB4r0\
    b/i0+3MFFPjQBikErvf4+LcGEvlu/E4EKAUzClMFQQQ8+oMEh/vF+hb8QQctAsYFvQNd9hX6Affs910DqweD/tQBDAS1\
    ChUIBQUpB3X6k/4l+eQGwv8b+48BYgMOBbf6lAKE++P47vk4+nQF/Pr1BzUHMvj5BtT9WwaUBjf6jvn48yX4iPrnBqkG\
    +/vCB3n7gAMZ9uz5NgY/A5z3CAWT+B/6sATMBPcF9Pgo+yT8ePs+BMX4xAWt/Fz68PnP+Gr8HgYSBkYCggBSBk8DHAGJ\
    BikGPQo2+p8Bxv6V/XX5jAXW+vgFRgVtBbwHxvxKCXP2BwQB/FgIGgSSBln7E/cl+bwFUQUC+3H3CfYL/p34vfyKBEMI\
    dvqu+1b6rgR3+ykFFwCgBn35+QJyCiAGYv64/N35NPkJ/Oj5AfvFAkMCfP1d/3MEi/rl9tv4wANs+lYGPQaHBYb/lvxr\
    BTUFDgYJAvH2WAVq+48Fxwb898L4twfP9yH8cAJuB6j58gLjBbD9sQZq9I/2KgWqB3z5tfoBB4f7J/1i92D2jfoP+PD/\
    bQWLBer6Qf49/OIEXvcOCAT8WvrgBD/+VAVABWf4RfnS+Mr7jgUZCGEKCfpmAzMCRP22C+4EkAXsBQX4+f0o+Kr9+/mo\
    An0HTPmV+TX6vAVLCeH6lfsyBW0C8QRDB+YHnP45/QAENvok+9j+PPd2BA75RwclAo7/Igj5+44HJP0s928F0wSP9YkD\
    sgHhA4sChgQDB4oGrPhQ/ZUFKwhP/mUDY/vz+I34NvqF/ZT6fwX3BWL6zvznB6sA5ASj/H/83AZK+WX9kPsHBg/5Tfm6\
    AxwGrfpJBnb8DvfPB1z8JfvKBMUF/vRBAQ0GUvunBVL56/qZBJgFQfiZ/IkEOAUUB14F3f41/a4DZfZxB0wGI/pmAB7+\
    GfZ0+dIH3flc+HoFdQdoBK4HifLQA1gE0AGc/UMFugBM9qQTlv5m+gH9KgSgBlQIZgI1ACcGvANv+X4AugQ6/RsIlPn+\
    /VQMd/TwAMgBXgIIA5r5x/v4+Nv/IwiLAh//hv4KBBv9ZAct/eAD/f5XAqb+of8oA1D5/fu0/uoDUwnlAff2lwdPCIoL\
    c/kv/yr5gPp/CQ74egIAA5r9SQOt+9YCXvrEAGABlflo/xH8SQSb/sADHAEB/zkCov4I/eH5Nv9PAtf4Cv/Z/FP5CP1B\
    /k37iPtcA/EN5AAF/w4D9gi7Cu78+PprASn/W/+FBO8GRPozAHwE8QKGAMAHufHdAgwBffy0B+X44/02/oz+fQUIAwAC\
    UfiU8HYIbhNSAnH8NftPBNb2/wLs9xoHSwUI/2z36Qvf+Kv9MvykB2wHfwns8HYBQgI/+BQH3/RK/ykEIQKv9jUAmQIL\
    B9b7avy89Y0BOwvrDXv3yfiN9cn9JvtFC2sEYP+dAXv6MQEJA3sFGPy//d77e/eV/QD9XQHy+voBDgCbCyD3Vvp6CXQA\
    bwRi/TQCiQeD+4T87vcxCcr56/ti+uoC9/1/Bg3xB/69/NwGQffN/dwEivl5BtMH//Sw9aj3lvod/xf1IQCqAtsJofv3\
    Bk74RgisDpX8NgK1CHf/OAOV+mIDzgBq/sv+YgmnBp8J7/x6/XoBgwVFA+kEtPpC/k7+DgasAsD5DAQKB578A/sS/JEM\
    SfpN+8zzevnV/uj8efo2+S75HPaD+2r/WwreB733VwhjBFr7mQutATAFtQOuAD8PlwPwBAkFrQA1/2r6nwLOAPoDje39\
    BzP+2whE9vD+qgxAAkACsf5zBVT/BQfS80X8fv7V/igAFwi2/lMD+/86/k0GxvYZ6qz47fli+4P58gAXBaf5Ae64AnwI\
    Kf9hA2EKRvEQ/JT+RgsSAJL3bf089FwFiAp3BoILWALG+SID+wCsAegDy//g/9AB5fyF8LAGgQAhBbsM/gDbCbAIowOB\
    AjP9QP7394f0jwlRBZj4b/m3CN/4UAHX+Eb/mgSi91P7fPuZADr6xP8MBF75wgQ//RT85AraAKL1gP1t/i/+EAmQB5sF\
    O/jZ+cP30wF09I4B+wGGAFr+rgPFAigAqwRpBkYCmQRHAqD2PP4pDsQDOP6a/Ab+pQzYBKACzPchAR4FCwAKA3X9MffO\
    /KwESv1PCFUFJfjeFBMLX/8SBU8AK/maAJcA/QITBzEEuPtJB0T57vUnA6f6xwV1BPr6pwI1CVwEnfzn93P+NwNM+uAL\
    pAh+Ah8HEAHk7Rj2yv5x/I33xARc/HMA1vF/EXD3/QiQ+E77+PZJ/Bb+zP2a/lYJWP7F/SgG/f0cAIf32P6yAPgFxPh8\
    ASr2qQkn/2j78vOs+hQB/AdeAksBqfhL+BEAxf5S/DkGKf3j/YL3rACR/6UB4vrp/lT/G/0H9PsHaAbrBiX7TwfE/W/5\
    wfq0AEXzOfuU+EoJ9PqU9TsCZAc5CskJ4wvoAiD7IfoDCI763PamBIIGpAQA/R76bwZBB/kFXAre/CX7cP3PBFD/1f7b\
    /vf0mveZAiz9eP3GCHIIvQJV/NwF+f6gBdz6BPuS9X36Gf8j/CgF9AMV9LwHGfxcAfb/5vq09mL8dQVA9vEG1fwh8EsH\
    yPt5+2T5gQ5bA7j26/QB/xD9vQG2+28HIQnp9PH8TfusBU8A8PjQCYX3ePRPAFoEsPhHANgDc/+EBBwEZ/wxAP77FvWJ\
    BtcMYQC6AO4GqgpdBXsCkgeV9uAO5wPHAfD/IQqz/3r+IgUXA6n+WgkI/Tb4RPz9+KL4oQChBuQFYxKzBPH7HQKp+dT9\
    lAEr+ZoEOgBu/YMG0P9T907/Ev3H+Y0EEAeq/bQHjQFD/XgBkfXAC4AGy/1WBYH9XAOn8xADwwAh+AL5WP+c/yf4KQsM\
    /NcDXwZxBwACwvFe/CIBOAsfArMYfAZgA3wB7wFd/d7+DQdtBnT58QZC/vEGBgS2CKMDovzM/gsCifYfBIr+FwHhDX3+\
    oAbD7vwCSf2EAegAQvgU/tv5ufZu+RT/JAIz+pz/7/ut/5oB
    """
}
