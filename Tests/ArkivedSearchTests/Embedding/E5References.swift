import Foundation

/// A text's vector as `Benchmarks/Search/languages/models.py` computes it in numpy with 32-bit floats, its
/// centre taken off as there; numbers of 16 bits, 32767 of which are 1.
struct E5Reference {
  let text: String
  let isQuery: Bool
  let pieces: Int
  let packed: String

  init(text: String, isQuery: Bool, pieces: Int, vector: String) {
    self.text = text
    self.isQuery = isQuery
    self.pieces = pieces
    packed = vector
  }

  var vector: [Double] {
    let bytes = Data(base64Encoded: packed) ?? Data()
    return stride(from: 0, to: bytes.count, by: 2).map {
      Double(Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)) / 32767
    }
  }

  static let all = [
    E5Reference(
      text: "Felt anxious about work and couldn't sleep.", isQuery: false, pieces: 17,
      vector: """
        BACNAFP+LAVnBtj5Hf0DAS4D/QtWAfUBEP13A7gCjfaM/eL6GunN9vYA6vguBLMHJwETBsYN7wSt/IL8IQWP/ST8\
        Yfh/Bjn+hQSc9S4D3AfE/x/1/Ps7DIQHDQm49McKb/usA5T+OgB/9D8H6PQmAiz8owOJ/GAOzPxf9XH5dvbrBCoC\
        mftV/DQG9PzpCgf3/wGf94P6GwTa/IUA6wSJ/YgDLABc/LX79QMFBGD8jQLg+nwBRgTD90L9jgEg/DEHaP4SAooI\
        uwCa9Lf8FwnHCpIBhv0lBrQI1PJHA4cE7PI8/HD+/Ah9/QUEIgmLBhYEQfZz8c4BrwM6AHwA/AMC8rT6vQMsEgf/\
        mfmm7mL7/v4lCHIG2v81/LUGt/ss/If/tgJR/Wb7gvwzCIz9mvzcAkMCbPo+ADkC/gL7BMP9Gv2c/173Hv0hAtIB\
        ZgEqBxYAre2aEEABVwOa++H8rwnSAWcBFAUD+UQFkv7NAlf+0gRD+6/5dPhf+rEWXwH7+V4DPwXCA/IErgIo+jT+\
        ZgdW+oIGYwLxBD8HvQ+6+L78VPPjBf/9t/py/L/9Lwfx7yMLWgHw/cQG/fZ8Cj73wPX1A/4FrPQk+jQEi/vR99f3\
        qgPFA5/0AAWu94v7QPp5BiwCEgDD9MTysQdVARX/cP+e+hr/aQVWElQAhgFY+wz3u/zXBKr6LwSk+AUH+gT+9xT+\
        BP4x/BD+uwaB+IQCcflC/1L5egLw+w8KTv3pASIEbv2W/vEIdPZg/rr25PV5/P4E/v19DA8F1Q3xBRAJe/0iAegA\
        rfff+2v7xAiVA2MD9ALZ/McDVP4/AO/7RQTLAXn7zgWl/QYEsvYTCiP5SP9b/50DOQJy9xr/QfXNAmACsv9X/X0M\
        CAokBtYACAib+x4DqwZW/ksNofePBPIBQQr2/y36bAC1/fAFHv9xBzcB3wMCAVL5SQ2kD3L8MgJd/MP4g/y4B1T+\
        mfq1Anz6Ef6DAmkDJQRT/TkBFgaTALD44vyxA9j4GwCF+cj9WAbP/9L7
        """),
    E5Reference(
      text: "Heute war ich mit dem Hund am See, danach gab es Käsekuchen.", isQuery: true,
      pieces: 22,
      vector: """
        TgRLAx0M0wLbCvX+PP6i+30PIwkMApv9YP3V+iD0pvmqBs/7Qv1AAdj6vAMgDPz8PAFn+/r7Hvzs+tv6LAST/B8E\
        GADY/Cf5iA7Z/6gChgOA/CoALwP+8lUFbAUs+lcFhvZb+dv85AGS+HoG3QN//y3/YgT/97UKnQcMAmoHfvaL/HEB\
        qQFI+Q8M//3vBbAAhAVYBAT8RQJ8/R4EPwGqA7f7l/zFBsz9VgHT/fQElP5BBaMBsxHyBJ7+NPltBnIHYvqw/ij7\
        Of3oBnINJ+8KBYIDQfztAR4CywUV9oP/sfp6/Vj+QOlD/hUAEAWQ+kr96ABX86QADgspB9X8N/qv+tQGo/YKAfoH\
        7PpX/f/5hgY5/833bg7u+wcBEghrAzb+uguU+RIFdwfLAlkI1vyB/Ub+7PFnCPMFzftLAXMARfn8+8YBPv7NACkA\
        3ffsB5T55/+0ED36Y/lZAd7/wvkZ+sP6wBJI+jb2Fv9c9170GQSM+0b+/vya+oEDhvxi/4IH/QCl/PcDWxB8+UD9\
        u/xRCykHkgW0/i7/NgBQ/Bb7Gvt5Axr7dfzl/CoCxAj1/aMH6gYz94z95gH3/437h/zlCQn/rAJxAAcHLPkX94vx\
        9QFH/yQGEf2kAo8F3fwE/q0Azv8B+VUCcPp+A8kGa/58ATkC1wObBcn/Pghg9akAKQI+/CP0/wKj+owCnv5eCYkG\
        rv9j/eMCV/14BHv2IfZdDpH1XvM7/rkK0v+E/MkL4gDhBG4HLwSABWPzLPjs914HNALyCqr58wd6CtIHiga+/bwE\
        +QHi+9v7X/EV/uv95PzGBI777vlCCmf17gLo+hv6WvWn+eT4jOtw/yXx8gLG+GT9dQFhBxAGg/jE/QAKwP49/JID\
        A/xWATT4/QKJBs8DS/3w/owLR/sa+iD78fh0AOAGxATg+84ItQpf/339ff6RAkwMT/8cCb0ASf3EAdcAFPueA5X+\
        Of37CNEBQwAXAU3xPwT4AyAItAMQCfcGufqCD3X/ywTB8yECvf2ZBfH4
        """),
    E5Reference(
      text: "Heute war ich mit dem Hund am See, danach gab es Käsekuchen.", isQuery: false,
      pieces: 21,
      vector: """
        yQQdA+oKDgOECCn6bP3e/CgNfgVD/0z+MP7o+uT2KPz9A7P+Nv3UAKz6VwRcDO/67gHr+qz9RPpl+8j+HAX6+0cF\
        CQFS+gD3wRALAB8DqQbR/gACwQMh8e8DAQe6+Z0Dy/bo+E/+vwFj+7wGDQTx/oT5NwWn+BoHsgUTAt0LS/gl/CID\
        +v/Z+fIHPfy4A40BIweAA8f6kwMf+noAaP4dAzL7E/59Cjz/qALz/JcF7f2EA2oEoxDuAxL+RPhjB1wEuvgFAev6\
        aP4MBzEOV+7uA6IG9/rj/+//zwfO9W7+fvvD/2v9Euwp/ET+FgdM93T7YQKD9D3/SwZRCNT+X/gV/K4HvfVz/XsF\
        h/xq/TH4tgYN/gP19A6v/Q8E0wv3BHb9Nw5j+7EFtAi2/0ELv/qu/HP/IfLTBSgHH/szBccD6vnh/e8Ckf/PAoQC\
        X/2kBmX4bQPaD576qvjcAMD/afuf+lz8YxAc+bz1nwEv+dL0WQVG+v7+m/82/EAB4fyh/ZME5AH0/rcEgAuw+VD8\
        C/yOC4EEEAci/4IAiPt6+3r9nfopBnX9Wv5m+V4EpQxR+yUHtwIH+O/+nQEr/bj6B/9WCB//eQQIAU4GhfiN99/w\
        GgFcAooG5PxwA/8EuPy/+9MBHv9z+PgBC/xWAJUDTv/mALwCQADvBA8DOAaT+c0AAQKO+9n0TQTf+uT/RPzoBtwF\
        Rf/q/PEDsPo7Bd/2Y/WSDyfxpfTR+z0HaPtx+xELKgGqA0AIaQOqBODw8/ti+fgHbABjCO/2tgigC6cIqQbg/EwE\
        lgNY/177UvZp/Rr7Q/zDA5b61fqsDIv11P96+c36NPXj/SP8XO00/NbxugF694P+LP6UB3YEG/q+AJAHev5A+dED\
        Kv+O/3P2fgL8BXsIIf8j/0QM1P6S+mL+KPgfAI8G7wNm//AHnAds+Qz/1QFIAwgNJv0ZC1MBRP1RAXf/mvphBrAA\
        n/l+CGMBtwAtAQfxSAUuA68IHwTqChoEGv6fE0wDCgZB8QwDt/yLA3v7
        """),
    E5Reference(
      text: "東京で友達に会った。", isQuery: false, pieces: 12,
      vector: """
        YAbe+scALAlIBcn/xP34BOcMOQMfBif3OQI1D1gCB/0+Bn75Q/I/91j91gTlAwYIlf/4ATX4QQk+78j/LwDp+z0B\
        AAby/C4DzAY3/rP5/gAoA2EB4foSANz8swqJBVMIB/jhCTX/U/+x+oQEbP7kBSQADvrp79MDhgTWCRgCUfvtAEr2\
        CgQwBAkDpP64BR8FyPi9BUz/pf7C/AYBMwaj/pD4eAP0Az4Ex/zS+yoFfft3BAoLdwbu/5b8CgCWDHUENANH/Ib7\
        /AMxARD+C+/Y9OP8iPEHByP8dPzE+ikFhAAM+gsEoPnaAaIJS/pICeYIivsJ8gYFVxFWC18E8/3W9XEHyvrW/1UA\
        hgPB9nYFoQT4DBn8Yf+C+xECcv6h+QoJR/QzBH//ev//CiAE7/3D/Vfx5/6D9IL80woSA3IIjvo4/hwHkgbL/HAH\
        G/OuCC8GBP63A6QMQPxF9VX9+fuaA+YNigjT/OwER/6L/AYApf+Y/B//Cv2jBqENvP7Z+gMAmvv//GgFBvGq/YMB\
        yQGFAJcAxPpP/8gBkAZ1/3r7RvNYBNz3zQfsAasJAQNd/o0AKAHt/PcGRf5kBqQI0/nRDN4CwQQkAoUAnfFb+JsH\
        ygk3BfoHePwnAGwD+feh9wkDpvjv+SoF2QOO/EkA1QIW/or/AvYN/p8D0ACv+hD+v/37ATn3mf3e/esDNwGzAlz1\
        6QWd/gH2s/m3/yIDwvn1//b85e5vA6r9DACLClv6dPXsAuYKNPlV/ZP+zwHB9oECCgCpDDX51A4WAxj6zfel/nIG\
        HQBO/Oj2PfQfCjH3M/wTAqUDCwRQA5j9jP5U8+oAjf73/yUBkfeoAz3uFfuUACr8VP0XAJT98u869rz72/wO/CUL\
        BvzC8X/2Svy9BWD60fEFBcADTPqr/S8Czv8Y+xv24v7k/Wz/ywa4AfUDIv/OAoMJ5Asn+Qr5QgmvBdwEffqcB5X+\
        fvyUAjQFHvx19ZYK4glb9tYFffwpAgP8HgYGBBkFoQakAtb/JP1wB57/
        """),
    E5Reference(
      text: "Grüße aus Zürich: 3½ Stunden 😀 gelaufen", isQuery: false, pieces: 14,
      vector: """
        DgByB9X7eQ9g+5z6FANnBIoGU/8N/bT27/ZZ+3/9jALR/DH8OQA2Aen3BvdT/igEPwjg/ksCrAiS+qXs0Ape/I8B\
        DwNTAA35WPrKAOgI9QGAAyf8APsa/34K/gSi/3UDUPxwAzD0gPlVC2YBcfpA+/sCS/rOA+8La/1n+lUMmfrbAAAN\
        f/yLA1j5hwSnAU7/GgRiCGr8rPQX+oEAGfVH+aDyZwZ2/BT7KwJh+k79qQCaBAr3FQZa/RsIjQE3BFUF/P3qAfME\
        yxIIBZ8Iz/rJAHEBJgGoCT/+5geEAXb3afziBWf1ofqWDBf2OQoKB3sB0P9q9ET8yQXnBBYA1vvr8+0DE/6OBbr8\
        dwGRA9QB7Pt4AZf+zgM6ADAJYQJuCHj41wITCr/8M/he+iEVT/309Xf1PP/9+I75Tf/R91/8VP6I98X/qwkMBZkG\
        ZP8bA54DzwIsA6sK0QLEBUL/ZwEg/TQETQwk/gX+mP2i+WsBRAVk9ssT/Qjb+3UJT/t3+OIB6gJSCUb9awQ2+nYF\
        LAWM+PIBRfviBHH6DP9S/MMUYP6+BqMGzAAb9JQBHf8jB2UShP2x+k4DihGSCzr89Pwv/fP8M/3x+p4EJ/St+KD6\
        DgBzAeH46vYo/pT9Rw4ZA3X9xv7i+sX+yAnC+pr6m/xuA1v/GfyUAloAgvpS+sgBCvqW+rcEaAQMBAL8YgjY/m8A\
        chHy/Vv92/S5BF36Ifgu/Dj+hvcC+oEEXfwbBvP8F/fqBXH/vP1r+o31UPfv/poIivUaAUn+tA2N/33/5/1f/DEJ\
        b/6D9bb3VPdMCwsIqvHt9swBtgPHCD/53QU8B4n65/3t+MgBZQT9BVT++fl2BewC2fgz+kT5GvzI/M8AXP4o/K8E\
        UvYYBFICTwAjBHoHOPl7/Zj7UQC8/XrztACaBPACCwGBAMT/4f44AR3+9fTXB40CjAgRCUYEf/50AkT4ZwvECKT/\
        Ef2sBxgFPv7pAYj+BwW2/XAADP25+8T9xAAGABkAkwdtA2n5QxQn+4b8
        """),
    E5Reference(
      text: "", isQuery: false, pieces: 5,
      vector: """
        IQd1Bv4HIQgNBGAC1gj4AaIARfns/hn4sv438DX/5gEYCzD4k/7s95oFgPHCBF0NDglG9n4GOvDfAZ0C1f7u+XsA\
        NwMdAJ4EUwXSB0sMZAdEEgcDafwvAS76aAdkAt/+0AZVBPX42wOZ/231EQ8JBVj3T/2H/zIDNgT++5oJbArPA7sC\
        uP4P/gv3XPnH+xYIu/09/IoAJAM3BEkBKvve/Pz70wjfBcr5h/V0/CT8Yf9uAIb+OPuP+7/4Y/dEAVYCtwD4+ZQB\
        oPc/BaL7Mga9BtAAz/+qDNXzMwew+Ir/2wdhBcEOdAPiADv2vP8x/kITDgLP/4Hvz/sSBlELOvn5A2wLhQcC/wj8\
        EwTLAA/5wAKj+8D2CQGd/NcFHQMvA3UEOfvrAxcIuABtAOYOjQM3/63/xAVP/RACMAdiBfj0cP8/AdP6VgWW+Cr9\
        qvsG+kIHLfkNAKEIpgkY/JkNNu8S+zL5mwxy/qEI9fIt+g/3XfxM8pAIkgZsA34EWgPp+TcEEP1//yP5mgGs+UwB\
        3/+mBMr/ygBIAtMFw/3e+2IBIANy+3v6PgPG/sgCaPm4/pj93f3T/+P/SwdJAGv9of/oAZIJsgHZ+bwAkP5aAnz5\
        nviy+94EU/UY/af+S/lR9lj/k/nJ/Qr7uwMW+hf7TPIl/fP/Wff5/HkAYQOF/YT7YQlF/vX6HfjM/+/21/Rp/swL\
        9P2mANMFSfrz9p7yTv09/er8oAE5/Nz/fvABAnwBof+f/oUJ2QzY+wkB7furAJQAR/rUBwj2qQKEB9wARgUjCXMH\
        +Qdf9FLyJgpJAvr3gAPFAAX8g/vTBVYCcv5ABicIHP6mBUcCW/uR/o4DFf9L/VcI2vO+/Mv+YvU++m/zy/RY+qYE\
        ygfq95P+4v3V/XX2jf8C/+oCagrD+lf9uwIp/mP/PQo7CaP6qvwx+4sSxQbkAzn94v+3CT4Fm/DxBrEEDvjgBdgB\
        QAKN97IGDfpnBx8HbgPGA9X5dATcCCP+gADb/EX6qAA+AM3+AQsF9oj5
        """),
    E5Reference(
      text: "Донаудампф und ﬁne  dining\tbei 37°C", isQuery: false, pieces: 17,
      vector: """
        cfinCoX8Lg2uAO4COAZRAzQHUQoz+r3/6f5qASEHkABbBHgFaACV+8r/QfQ7D60IZQOo/DQCyQEQ+dn8kwjcAHgL\
        MAgC/eP/y/8lCrsFbfyQ/MQKYgTd+0H+ofjK9372KwjrCMLvQvz4+QEC4f1tA675kAWZAqcLfAqD+2gBUvtFAsoG\
        sQGfAsb4Mvv5A4z8EwLGBxL8EvpS+sYIwflfA/QBdwr/AsT7H/snANL60AWo/i/+YAJ98RUC4/sOB50HOv8G+hv7\
        sPxt+mP9cvwh/Ur/dv3jDKsFCf5Y/H/6TQpVAywH8PLHAh4AfAKN/dQAhAoD8uv/gP68/qztigIB8PP4jvk8DPkM\
        Uv3s+lf/GP8p/NL+A/t0++4FVwLt+bEJUQOIAhL8MP+K+aITjQDoAYkAcQFl/5Lw1PsG+B0CrfoC/yvzBwEoBEcB\
        k/diBG0Hi/QoBuL+pwhUAz8FDP+u+1D8/Qki/4300vRJ+t4CdfsZ+yECOfvPCPL+Vv4IDl39X/Y+AMcFsQRmAJ8E\
        6gOrAbMFPPEYA9TzZgP6AWoCvv77Bbb8ywLp9ZoHNfdoBkEPf/cP85f4rQyVAYr3FwE7A9kFhgKt90/0nfxC/tv2\
        RP5ACKr+3P/+CAgAywmuBbDy3gKZ9dsDpwGk/rD/MAfsCZMDcAMd/c4BG/9E/s37uv1N/Sn6EAlD/Dz+3P9l+2YL\
        Rw+6+o0M9fVU+Yn3jO9oAT4AswCJ+2UB//5VBrAA6PYc/p0BYQ39Ae/5/f9o/sgA9/kAAUIBlQ4xCsL7EgGU+o0C\
        LPlq90T5ZvytAAr+kQCjBYb9kvibAmr6/ANk9X/+aP9v+4gIkPPdAib3mQGnA/P4GACA/S36fwaq+XMEtfdx/KkI\
        pABC+5wB6gBXBof/BgF3/jL7Y/90/77/5P/SAN8A8gZp9kD+aQTWBHr2cQBQCMoHowo2+RoMz/k/AvMAvQfbAh8J\
        YAGRBqv29/SvA5f5SwO7A3AIFwlkBigAVf+w/9AD3gSu8vUI3gF+AZD4
        """),
    E5Reference(
      text:
        "Die Therapiestunden am Donnerstag tun mir gut. Die Therapiestunden am Donnerstag tun mir gut. Die Therapiestunden am Donnerstag tun mir gut. Die Therapiestunden am Donnerstag tun mir gut. Die Therapiestunden am Donnerstag tun mir gut. Die Therapiestunden am Donnerstag tun mir gut. ",
      isQuery: false, pieces: 59,
      vector: """
        rfUe+3z6xgw1CZUH5wf6CIMPpQBj9AsEu/3H+cL4ogY/BMP7jQSZ/uH1P/sqARf/EgML+0QClwi6/gIAbQMIA/X+\
        mvt+/jYA0A6Y/QL9kP8WCtv9pwAZAs4ASwSC954A1/KoAPH7svk8C7AB6P/8CQEHFPbL93T4bQf1+f/50wA3A3sG\
        KQQI/q0GnwCO/oj+0AYHB08AlwOyBm7+SwMq/hwNsPrF/sL74f1b+pD8sf1Y/ln60wvs+8n8YQFX+TMBFf0I+I0G\
        6gqiBNz6DAQ2/tUE1wDH/rwCPAUlAOb2EvxuDlX8dwQ3Dwz4uPYsCmv6Tw6GBtT7qQCDAqX9k/wzAB3/XgbRAtL3\
        lAgm7jf7gP4A/B4BGAELAfMD2AAa/oX2vvx2+2n/2gje/0QGtvjjCrwDlAh09hL8EwQHA+YC4/vOATn+8P0X/uUC\
        qPQQ/kDyXwBm+1UL1wNp/2H1vfdqBP//3vv08/P5Hv36/kAMAgbQ/fsDivq+/3r7B/zDDYv5vAfb8z0Lg/kb/Yn+\
        fwEs+hQIKfvWC/gALfmw78/7a/fz/Cb4g/6e850A/f0NESoP7/mSAsUAqwNJAO8BdAFeAmkDpAKo/lr/Ffh2+Kr8\
        wAFr/DAGWP2hAVf/k/7JAFD/VPs1/Gn3GvbY9Dr+6APjB+f/0fjL+uv4j/+n/tb6U/P//UsGB/6q/vMKgf/19xgD\
        Hv8k+rEDFgHv+eX+zvnrAATxUAaY82IIyQLBAfb/LwCRBbb1Lf3KAXn6mQEo/rkMgAeFA138GAbWAjULNgQy+5P+\
        PwOj8Jb/f/gU+mfzRgItAxj+zATSB8IHGfat/oMAevB17sP8I/whCG0BWgBiBDEFWAP7/4YC2PPyCh78w/7B+m36\
        Ngdg9pX/tgJnD+wHrQN+/0b/jAJxBRcDpfzIBB0HU/33BDL7cPwj/tkAQAQtCU4HOgvQ9TYGCPwoEFD9FQEVCjkG\
        2QKk/8D8hfuCCmn0nAc4/90Bn/95/NkEiQ3U+en95Py1AEcBWAuDDcAF
        """),
    E5Reference(
      text: "نص عربي قصير", isQuery: false, pieces: 8,
      vector: """
        ePwbBlP/Lu53+4YBSAN7/qr76PuQDG/7cAMt/fL9Mfjz/s38EvJGASz6mPSD/04P1vqH9oIClQc19/T6MAIQ/qAA\
        HwNQB0QKHv73CGz+a/P+CncAbfkBAjD4ugLs+KwDQP84Av78h/4OAbADIAjb/tr7NflTCbj6zgq2C4f9pwvI9WoC\
        IAoyBF8Ek/nfCJf/d/1TAd8B6/QpAFL8ZQgi/CQE2QYh+a329/LTAPgGdAVXAjz8tP3tBeT9Iv+oCucLfv1MBAAG\
        bQ2J8kHxMg7+/pUA8fqWCPf9UQM69zoIRfMt/VL7zgFh/hP4FPXvCTn8BQIICQsHgwWbBQsGDvs09LT/5QBmAdQC\
        8gcG/RYF3fZpBCAL+wfa/eD9wP+b9a/7QflIBYMAbfs6Cf8A5QQm+2X5HPkf/Ar31gRh+Xz+JQDg/ngEjgTD/of2\
        HPn3+IwFsgmkAYQFK/yi96b89P4TAJ8Gugir+c0ETgAy9hH1nAFAAWwH+/gaAOgDnAR3Bi0PbfwC/nj/dvKt+/0B\
        XQZv+cH0p/wm/HH/fg7iAzQGHvqa8z0CugB/BYwAhwwF9gIJI/4x/gr+dAEBCP/7+vg++8QBCv6dBu0GHv+q+ob+\
        7gF293wFNv2WA3YClwF8+NgFuQy3Ahr+//83/jEA3glcBcD/afup/9L/OPNs/XL5xPd6Av3+nP8lAP4JzgOrBbUI\
        TAhE/tIB5PzCA3fyUf0g/RH+3vw4BWn3XgPMCBf42vit/GYFYgBo9rz/ov3++cb8GwEf+9n1mwhY/wH8Yvpn8BwF\
        j/8V/T/17fpeATYGd/6UBGkFYfzIAk4BzfwP/xf4MwJOCZQABv1yACj+hfdrCLYBmwR4/TD8/gCzBlUDywKK/CX+\
        MwZt+jEAWfaECtL3QvuHBJP5UP97/ob3QQXO8m7qEweN+w0QrPkeBMD1IwL1+T/7yQdCAuf7qQbcCif9kgr19I8D\
        yArQ/NP2agO+CtH9jvwy+4UC5f7sCD0HZf8b+8QEYAI6CnIHJga0BnH8
        """),
  ]
}
